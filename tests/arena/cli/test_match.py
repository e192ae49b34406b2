# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that plays a match without a server."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main
from engine import formats
from engine.record import Record

LOSER = """
from bots.bot import Bot, Turn

class Loser(Bot):
    games = ("tictactoe", "checkers")

    def move(self, turn: Turn) -> str:
        if turn.seat:
            raise RuntimeError("[no] idea")
        return "nowhere"
"""


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What the command prints for programs."""
    assert main(["match", *arguments, "--json"]) == 0
    printed: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    return printed


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "random", "random", "--game", "tictactoe", "--games", "20", "--seed", "3")
    wins, draws, losses = (found[name] for name in ("wins", "draws", "losses"))
    assert wins + draws + losses == found["games"] == 20
    assert found["score"] == (wins + draws / 2) / 20
    assert found["game"] == "tictactoe"
    assert found["terminations"] == {"decided": 20}
    low, high = found["interval"]
    assert low < found["elo"] < high
    again = answer(capsys, "random", "random", "--game", "tictactoe", "--games", "20", "--seed", "3")
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


def test_the_stronger_bot_wins(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "alphabeta-4", "random", "--game", "checkers", "--games", "4", "--depth", "3")
    assert (found["wins"], found["score"], found["elo"]) == (4, 1.0, None)


def test_games_are_written_in_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdn, lines = tmp_path / "out.pdn", tmp_path / "out.jsonl"
    written = ["--pdn", str(pdn), "--jsonl", str(lines)]
    answer(capsys, "random", "random", "--game", "checkers", "--games", "3", *written, "--time-control", "60+1")
    for path in (pdn, lines):
        with path.open(encoding="utf-8") as file:
            records: list[Record] = list(formats.find(path.suffix[1:]).read(file))
        assert [record.round for record in records] == ["1.1", "1.2", "2.1"]
        assert all(len(record.opening) == 4 and record.time_control == "60+1" for record in records)
        assert all(move.elapsed is not None for record in records for move in record.moves)


def test_people_are_told_why_a_bot_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loser.py").write_text(LOSER, encoding="utf-8")
    bot = str(tmp_path / "loser.py")
    assert main(["match", bot, "random", "--game", "tictactoe", "--games", "2"]) == 0
    told = capsys.readouterr().out
    assert f"game 1: {bot} lost by illegal move: 'nowhere' is not a legal move here\n" in told
    assert f"game 2: {bot} lost by crash: RuntimeError: [no] idea\n" in told
    assert "0 won, 0 drawn, 2 lost: 0.0 %\nElo difference unbounded, 95 % interval unbounded to " in told
    faults = answer(capsys, "random", bot, "--game", "tictactoe", "--games", "1")["faults"]
    assert faults == [{"game": 1, "bot": bot, "why": "crash", "detail": "RuntimeError: [no] idea"}]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["random", "random", "--game", "go"], "no game is called 'go'"),
        (["random", "nobody", "--game", "tictactoe"], "no bot is called 'nobody'"),
        (["random", "random", "--game", "tictactoe", "--games", "0"], "--games must be at least 1"),
        (["random", "random", "--game", "tictactoe", "--time-control", "fast"], "no time control"),
        (["random", "minimax-2", "--game", "tictactoe", "--depth", "0"], "--depth must be at least 1"),
        (["random", "random", "--game", "tictactoe", "--pdn", "x.pdn"], "no notation for tictactoe"),
        (["random", "random", "--game", "checkers", "--pdn", "/no/such/folder/x.pdn"], "cannot write"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", *arguments]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert why in told


def test_a_bot_plays_only_its_own_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loser.py").write_text(LOSER, encoding="utf-8")
    assert main(["match", str(tmp_path / "loser.py"), "random", "--game", "checkers/lecture"]) == 2
    assert "does not play checkers/lecture, but tictactoe, checkers" in capsys.readouterr().err
