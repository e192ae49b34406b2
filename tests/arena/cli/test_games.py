# SPDX-License-Identifier: GPL-3.0-or-later
import json

import msgspec
import pytest

from arena.cli import main
from tests.arena.conftest import CONTROL, OpenArena
from web.api.games import OneGame, get_game, list_games


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> object:
    """Run ``arena games`` and return its JSON."""
    assert main(["games", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def plain(served: object) -> object:
    """Return an answer of the API as a client reads it."""
    return json.loads(msgspec.json.encode(served))


async def test_it_answers_as_the_api_does(
    open_arena: OpenArena, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_GAMES", "tictactoe")
    monkeypatch.setenv("ARENA_TIME_CONTROLS", f"tictactoe={CONTROL}")
    arena = await open_arena()
    capsys.readouterr()
    assert answer(capsys) == plain(await list_games(arena))
    assert answer(capsys, "tictactoe") == plain(await get_game(arena, OneGame(name="tictactoe")))


def test_people_see_a_table_and_one_game_with_its_variants(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert {"checkers", "checkers/lecture", "chess", "nim"} <= set(capsys.readouterr().out.split())
    assert main(["games", "checkers"]) == 0
    shown = capsys.readouterr().out
    assert "seats         Black, White" in shown
    assert "variants      checkers/lecture" in shown
    assert main(["games", "nim/7"]) == 0
    # games that are made on demand are not listed
    assert "variants" not in capsys.readouterr().out


def test_an_unknown_game_is_an_error_of_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "ludo"]) == 2
    assert capsys.readouterr().err.startswith("arena games: no game is called 'ludo'; there are backgammon, battleship")
