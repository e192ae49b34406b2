# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/how-to/games.md names all games and kernels."""

import ast
import re
from pathlib import Path

from engine import game, hints
from engine.games import catalogue

VARIANTS = (
    "backgammon/cube",
    "battleship/no-touching",
    "battleship/silent",
    "battleship/silent-no-touching",
    "connect-four/COLUMNSxROWS",
    "dilemma/noise-N",
    "go/13x13",
    "go/19x19",
    "holdem/no-limit-Nbb",
    "matrix/battle-of-the-sexes",
    "matrix/chicken",
    "matrix/matching-pennies",
    "nim/N",
    "othello/6x6",
)
"""Created on demand."""

TEXT = (Path(__file__).parents[3] / "docs" / "how-to" / "games.md").read_text(encoding="utf-8")


def named(heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(.+?)`", row)}


def kernels() -> set[str]:
    sources = [Path(game.__file__), *(path for folder in hints.__path__ for path in Path(folder).glob("*.py"))]
    trees = [ast.parse(source.read_bytes()) for source in sources]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in functions if any(ast.unparse(mark) == "kernel" for mark in node.decorator_list)}


def test_every_game_is_described() -> None:
    assert named("Games of the arena") == {*catalogue(), *VARIANTS}


def test_every_kernel_is_described() -> None:
    assert named("How to add a game") == kernels()
