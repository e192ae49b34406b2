# SPDX-License-Identifier: GPL-3.0-or-later
"""Games in files."""

from pathlib import Path

import pytest

from bots.modelling.sources import read
from engine.formats import Unreadable, json_lines, pgn
from engine.match.record import PlayedMove, Player, Record
from lab.tuning.games import Archive

GAME = Record(game="chess", players=(Player("a"), Player("b")), result="1-0", moves=(PlayedMove("e2e4"),))


def test_saved_games_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Archive(path, "so") as archive:
        assert list(archive.records()) == []
        archive.keep(GAME)
        archive.keep(GAME)
    with Archive(path, "so") as archive:
        assert [record.moves for record in archive.records()] == [GAME.moves] * 2
        assert archive.count == 2
        archive.keep(GAME)
    assert len(path.read_text().splitlines()) == 3


def test_a_last_line_that_was_cut_off_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Archive(path, "so") as archive:
        archive.keep(GAME)
        archive.keep(GAME)
    path.write_bytes(path.read_bytes()[:-20])
    with Archive(path, "so") as archive:
        assert len(list(archive.records())) == 1
        archive.keep(GAME)
    assert len(list(json_lines.read(path.read_text().splitlines()))) == 2


def test_games_that_were_played_otherwise_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Archive(path, "so") as archive:
        archive.keep(GAME)
    with Archive(path, "otherwise") as archive, pytest.raises(ValueError, match="holds 'so', not 'otherwise'"):
        list(archive.records())


def test_without_a_file_nothing_is_kept() -> None:
    with Archive(None, "so") as archive:
        assert list(archive.records()) == []
        assert archive.keep(GAME).event == "so"


def test_the_suffix_decides_how_a_file_is_read(tmp_path: Path) -> None:
    left_out: list[Unreadable] = []
    (tmp_path / "games.pgn").write_text("".join(pgn.FORMAT.write([GAME])))
    (tmp_path / "games.jsonl").write_text("".join(json_lines.write([GAME])) + "nonsense\n")
    for name in ("games.pgn", "games.jsonl"):
        assert [record.moves[0].move for record in read(tmp_path / name, left_out)] == ["e2e4"]
    assert [unreadable.line for unreadable in left_out] == [2]
    with pytest.raises(
        ValueError, match=r"not a file of games, which end in \.ggf, \.jsonl, \.mat, \.pdn, \.pgn, \.sgf"
    ):
        list(read(tmp_path / "games.txt", left_out))
