# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of the pages' scripts find planted mistakes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.declarations import configuration, declarations

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "node_modules" / ".bin"
PATH = os.pathsep.join((os.environ["PATH"], str(Path(sys.executable).parent)))
"""Node.js is the machine's, or that of the environment."""


def run(tool: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of node_modules."""
    return subprocess.run([TOOLS / tool, *options], env={**os.environ, "PATH": PATH}, capture_output=True, text=True)


def project(folder: Path) -> None:
    """Make a folder a project of scripts that know the types of the API."""
    (folder / "api.d.ts").write_text(declarations(), encoding="utf-8")
    config = {**configuration(), "include": ["*.js", "*.d.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of scripts."""
    folder = tmp_path_factory.mktemp("scripts")
    project(folder)
    return folder


@pytest.mark.parametrize(
    ("script", "mistake"),
    [
        ('const { name } = await ask("/api/v1/bots/7");\nname.at(0);', ""),
        ('const { nickname } = await ask("/api/v1/bots/7");\nnickname.at(0);', "TS2339: Property 'nickname'"),
        ('const { items } = await ask("/api/v1/robots");\nitems.at(0);', "TS2339: Property 'items'"),
        ('const { rating } = (await ask("/api/v1/matches/7")).players[0];\nrating.toFixed();', "TS18047: 'rating'"),
        (
            "/** @param {Protocol.WatchMessage} message */\nexport const f = (message) => message.seen;",
            "Property 'seen'",
        ),
    ],
)
def test_the_type_checker_knows_the_answers(folder: Path, script: str, mistake: str) -> None:
    view = ROOT / "web" / "static" / "view.js"
    (folder / "page.js").write_text(f'import {{ ask }} from "{view}";\nawait ask("/api/v1/games");\n{script}\n')
    found = run("tsc", "--project", str(folder))
    assert mistake in found.stdout, found
    assert (found.returncode == 0) == (not mistake), found.stdout


def test_the_linter_finds_a_forgotten_name(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text("const forgotten = 1;\n")
    found = run("oxlint", "--config", str(ROOT / ".oxlintrc.json"), str(script))
    assert found.returncode
    assert "'forgotten' is declared but never used" in found.stdout
