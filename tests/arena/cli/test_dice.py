# SPDX-License-Identifier: GPL-3.0-or-later
import json
from pathlib import Path

import pytest

from arena.cli import main
from arena.protocol.messages import commitment
from engine.formats import json_lines
from engine.game import CHANCE
from engine.games import find
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record

SECRET = "000102030405060708090a0b0c0d0e0f"


def played(secret: str = SECRET) -> Record:
    """A game with dice that are rolled by a secret."""
    match = Match(find("einstein"), seed=int(secret, 16))
    while match.to_move is not None:
        match.play(match.to_move, match.legal[0])
    return Record.from_match(match, (Player("one"), Player("other")), seed=int(secret, 16))


def checked(path: Path, *options: str) -> int:
    return main(["verify", "--dice", str(path), *options])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json_lines.write([played()])))
    return path


def test_the_documented_example() -> None:
    assert commitment(SECRET) == "6f92b8399baf9e08b778226bbad4577b07de44e9370c29c463ff22931b563a56"
    assert int(SECRET, 16) == 5233100606242806050955395731361295
    assert played().moves[0].move == "2"
    for text in ("", SECRET.upper(), SECRET[1:], f"{SECRET}\n"):
        with pytest.raises(ValueError, match="32 hexadecimal digits"):
            commitment(text)


def test_an_exported_match_is_checked_against_its_commitment(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(file, "--json", "--commitment", commitment(SECRET)) == 0
    [row] = json.loads(capsys.readouterr().out)["games"]
    position = find("einstein").look(find("einstein").start())
    assert position.to_move == CHANCE
    assert row["rolls"] == sum(each.to_move == CHANCE and not each.over for each in played().positions())
    assert (row["commitment"], row["problem"]) == (commitment(SECRET), None)
    assert checked(file, "--commitment", commitment("f" * 32)) == 1
    assert "the commitment does not belong to its seed" in capsys.readouterr().out


def test_a_roll_that_was_changed_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played()
    for number, row in enumerate((("6", "should show 2, but the record has 6"), ("2", ""))):
        path = tmp_path / f"{number}.jsonl"
        moves = (PlayedMove(row[0]), *record.moves[1:1])
        made = Record(game="einstein", players=record.players, result="*", seed=record.seed, moves=moves)
        path.write_text("".join(json_lines.write([made])))
        assert checked(path) == (1 if row[1] else 0)
        assert row[1] in capsys.readouterr().out


def test_games_without_dice_or_seed_are_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = (Player("one"), Player("other"))
    path = tmp_path / "games.jsonl"
    games = [Record(game=name, players=players, result="*") for name in ("einstein", "nim", "ludo")]
    path.write_text("".join(json_lines.write(games)))
    assert checked(path) == 1
    out = capsys.readouterr().out
    assert "it has no seed" in out
    assert "the game has no dice" in out
    assert "ludo" in out
    assert checked(path, "--commitment", "x") == 2
    assert checked(tmp_path / "none.jsonl") == 2
