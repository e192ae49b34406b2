# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots by name, file, module and entry point."""

import sys
from pathlib import Path

import pytest

from bots.bot import Bot
from bots.built_in import kinds
from bots.catalogue import UnknownBot, descriptions, make, maker_of, names

MINE = '''
from bots import Bot

class Mine(Bot):
    """A bot."""
    name = "mine"
    description = "Mine alone."
    def move(self, turn):
        return turn.legal_moves[0]

def factory():
    return Mine()

made = Mine()
number = 7
def wrong():
    return 7
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_built_in_bots_are_known_by_name() -> None:
    built_in = list(kinds.catalogue())
    assert names()[: len(built_in)] == built_in
    assert {"random", "minimax-2", "minimax-3", "alphabeta-4", "alphabeta-6", "advanced", "evochess"} <= set(built_in)
    for name in built_in:
        assert make(name).name == name
        assert make(name).description == descriptions()[name] != ""
        assert make(name) is not make(name)


def test_a_file(file: Path) -> None:
    assert make(str(file)).name == "mine"
    assert maker_of(str(file)) is maker_of(f"{file}:Mine"), "a file is imported once"
    assert make(f"{file}:factory").name == "mine"
    assert make(f"{file}:made") is make(f"{file}:made")


def test_a_file_finds_its_neighbours(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    neighbour = file.with_name("next_door_to_mine.py")
    neighbour.write_text("NAME = 'neighbour'")
    file.write_text(MINE.replace('name = "mine"', "from next_door_to_mine import NAME as name"))
    assert make(str(file)).name == "neighbour"


def test_a_module(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(file.parent)
    assert make("mine:Mine").name == "mine"
    assert make("bots.built_in.kinds.random:RandomBot").name == "random"


def test_an_installed_package(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = file.parent / "somebody-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[bot_arena.bots]\nsomebodys = mine:Mine\nbroken = nowhere:Bot\nrandom = mine:Mine\n"
    )
    monkeypatch.syspath_prepend(file.parent)
    assert names()[-2:] == ["broken", "somebodys"]
    assert isinstance(make("somebodys"), Bot)
    assert make("random").name == "random", "nobody takes the place of a built-in bot"
    assert descriptions()["somebodys"] == "Mine alone."
    assert descriptions()["broken"] == ""
    with pytest.raises(UnknownBot, match=r"'broken'.*nowhere"):
        make("broken")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("nobody", "no bot is called 'nobody'; known are random, .*FILE.py"),
        ("", "no bot is called ''"),
        ("nowhere.py", "there is no file .*nowhere.py"),
        ("{file}:Other", "mine.py has no 'Other'"),
        ("{file}:number", "neither a Bot class nor a factory"),
        ("{file}:wrong", "made a int, which is not a bots.Bot"),
        ("{file}:Path", "mine.py has no 'Path'"),
        ("no_such_module:Bot", "the module 'no_such_module' cannot be imported: ModuleNotFoundError"),
        ("pathlib:Path", "does not derive from bots.Bot"),
        ("random:", "no bot is called"),
    ],
)
def test_an_invalid_specification_of_a_bot_is_refused_with_the_reason(file: Path, spec: str, why: str) -> None:
    with pytest.raises(UnknownBot, match=why):
        make(spec.format(file=file))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "defines no class that derives from bots.Bot"),
        ("from bots.built_in.kinds.random import RandomBot", "defines no class"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def", "SyntaxError"),
        (MINE + "class Other(Mine): pass", "defines several bots; write one of .*:Mine, .*:Other"),
    ],
)
def test_a_file_that_is_of_no_use(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "of_no_use.py"
    path.write_text(text)
    for _ in range(2):
        with pytest.raises(UnknownBot, match=why):
            make(str(path))
