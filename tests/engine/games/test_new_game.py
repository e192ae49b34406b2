# SPDX-License-Identifier: GPL-3.0-or-later
"""A new game is one file: a copy of the project without Connect Four plays it as soon as its file is added."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that gets the game's file after it was shown not to know the game."""
    root = tmp_path_factory.mktemp("copy")
    for name in ("arena", "bots", "engine", "tests/contracts"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "tests/__init__.py"):
        shutil.copy(ROOT / name, root / name)
    game = root / "engine" / "games" / "connect_four.py"
    game.unlink()
    assert "connect-four" not in run(root, "arena.cli", "games")
    shutil.copy(ROOT / "engine" / "games" / "connect_four.py", game)
    return root


def run(root: Path, *arguments: str) -> str:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(root / "cache"), "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_passes_the_tests_of_every_game(copy: Path) -> None:
    assert "51 passed" in run(
        copy, "pytest", "tests/contracts/test_games.py", "-k", "connect-four", "-p", "no:cacheprovider"
    )


def test_its_leaf_counts_are_as_published(copy: Path) -> None:
    assert (
        json.loads(run(copy, "arena.cli", "lab", "perft", "connect-four", "--depth", "8", "--json"))["nodes"]
        == 5_673_234
    )


def test_its_playthrough_is_generated(copy: Path) -> None:
    run(copy, "arena.cli", "games", "connect-four", "--update", ".")
    assert (copy / "connect-four.txt").read_text(encoding="utf-8").startswith("game: connect-four\n")


def test_it_is_played(copy: Path) -> None:
    played = json.loads(
        run(copy, "arena.cli", "match", "random", "random", "--game", "connect-four", "--games", "2", "--json")
    )
    assert played["terminations"] == {"decided": 2}
