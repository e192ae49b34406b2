# SPDX-License-Identifier: GPL-3.0-or-later
"""The import rules can fail: each finds a violation."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("arena", "bots", "engine", "lab", "tools", "web")

PLANTED = {
    "engine imports none of the others": ("engine/planted.py", "import arena.protocol"),
    "parts of the engine import only those below them": ("engine/native/planted.py", "import engine.kernel"),
    "bots import the engine, and of the arena only the protocol and the ratings": (
        "bots/planted.py",
        "import arena.store",
    ),
    "arena imports only the engine; its command line imports everything": (
        "arena/planted.py",
        "import aiohttp",
    ),
    "web does not import bots": ("web/planted.py", "import bots.built_in"),
    "only lab, tools and the commands of features import arena.cli": (
        "web/planted.py",
        "import arena.cli",
    ),
    "only the command line and the reference of formats import features": ("web/planted.py", "import arena.features"),
    "features import only the features that they declare to need": (
        "arena/features/planted.py",
        "import arena.features.beside",
    ),
    "only arena.cli.lab and the reference of formats import lab": ("arena/cli/planted.py", "import lab.tuning"),
    "engine, protocol, pairing, rating and tournament machine are pure": ("arena/rating/planted.py", "import asyncio"),
    "engine reads clocks and files only in the listed modules": ("engine/search/planted.py", "import time"),
    "only engine.formats and bots.bridges import python-chess": ("bots/planted.py", "import chess.pgn"),
    "only the pool of a cluster imports Ray": ("lab/tuning/planted.py", "import ray"),
    "only the recorder of traces imports OpenTelemetry": ("arena/planted.py", "import opentelemetry.trace"),
    "only arena.store and the records of features import the database": ("web/planted.py", "import sqlalchemy.orm"),
    "the modules that bot authors import depend only on the protocol": ("arena/protocol/planted.py", "import engine"),
}


def broken_rules(folder: Path) -> set[str]:
    """The names of the rules that the packages in `folder` break."""
    linter = Path(sys.executable).with_name("lint-imports")
    command = [str(linter), "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    output = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True).stdout
    assert "Contracts:" in output, output
    return set(re.findall(r"^(.+) BROKEN", output, re.MULTILINE))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rooms with every violation planted."""
    folder = tmp_path_factory.mktemp("planted")
    for room in ROOMS:
        ignored = shutil.ignore_patterns("static", "__pycache__")
        shutil.copytree(ROOT / room, folder / room, ignore=ignored)
    for path, line in PLANTED.values():
        with (folder / path).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    (folder / "arena" / "features" / "beside.py").touch()
    return folder


@pytest.fixture(scope="module")
def broken(copy: Path) -> set[str]:
    return broken_rules(copy)


@pytest.mark.parametrize("rule", PLANTED)
def test_the_rule_catches_its_violation(rule: str, broken: set[str]) -> None:
    assert rule in broken


def test_every_rule_is_tried(broken: set[str]) -> None:
    assert broken == set(PLANTED)
