# SPDX-License-Identifier: GPL-3.0-or-later
"""Series saved to a file: whole lines are read again, a torn line is cut off, other series are refused."""

import asyncio
from pathlib import Path

import pytest

from bots.contest import Contest, NotSaved, Saved, cut_back
from bots.series import Played, series

CONTEST = Contest("tictactoe", "random", "random", seed=7)


def played(games: int) -> list[Played]:
    async def play() -> list[Played]:
        first, second = await CONTEST.entrants()
        return [one async for one in series(CONTEST.setting(), first, second, range(games))]

    return asyncio.run(play())


def read(path: Path) -> list[Played]:
    file = Saved.open(path, CONTEST)
    file.close()
    return file.played


def saved(path: Path, games: list[Played]) -> None:
    file = Saved.open(path, CONTEST)
    for one in games:
        file.add(one, {"out.pgn": 100 * one.number})
    file.close()


def test_saved_matches_are_read_again(tmp_path: Path) -> None:
    path, games = tmp_path / "match.json", played(3)
    saved(path, games[:2])
    again = Saved.open(path, CONTEST)
    assert again.played == games[:2]
    assert again.sizes == {"out.pgn": 200}
    again.add(games[2], {"out.pgn": 300})
    again.close()
    assert read(path) == games


@pytest.mark.parametrize("torn", [1, 40])
def test_a_torn_line_is_dropped_and_its_match_played_again(tmp_path: Path, torn: int) -> None:
    path, games = tmp_path / "match.json", played(3)
    saved(path, games)
    path.write_bytes(path.read_bytes()[:-torn])
    again = Saved.open(path, CONTEST)
    assert again.played == games[:2]
    again.add(games[2], {})
    again.close()
    assert read(path) == games


def test_a_torn_first_line_begins_anew(tmp_path: Path) -> None:
    path, games = tmp_path / "match.json", played(1)
    saved(path, [])
    path.write_bytes(path.read_bytes()[:-5])
    saved(path, games)
    assert read(path) == games


def test_other_files_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    for text in ("notes", "notes\n", '{"game":"go"}\n', '{"game":"go","first":"a","second":"b"}\n'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(NotSaved):
            Saved.open(path, CONTEST)
        assert path.read_text(encoding="utf-8") == text
    path.unlink()
    saved(path, [])
    with pytest.raises(NotSaved, match="another match: second, seed differ"):
        Saved.open(path, Contest("tictactoe", "random", "minimax-2", seed=8))


def test_files_of_games_are_cut_to_their_saved_length(tmp_path: Path) -> None:
    path = tmp_path / "out.pgn"
    path.write_text("0123456789", encoding="utf-8")
    cut_back(path, 10)
    cut_back(path, 4)
    assert path.read_text(encoding="utf-8") == "0123"
    with pytest.raises(NotSaved, match="shorter"):
        cut_back(path, 5)
    cut_back(tmp_path / "none.pgn", 0)
