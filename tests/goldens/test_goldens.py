# SPDX-License-Identifier: GPL-3.0-or-later
"""All searches find the values, visit the nodes and choose the moves of the golden files."""

from pathlib import Path
from shutil import copytree

import pytest

from tests.goldens import files, positions
from tests.goldens.searches import golden, names

SAMPLE = 20
"""Positions of each search that every run compares; the long tests compare the others."""

each = pytest.mark.parametrize("name", names())
each_game = pytest.mark.parametrize("game", positions.GAMES)


@each
@each_game
def test_a_sample_is_as_in_the_golden_files(game: str, name: str) -> None:
    assert not (found := "\n".join(files.differences(golden(game, name), stop=SAMPLE))), found


@pytest.mark.long
@each
@each_game
def test_all_positions_are_as_in_the_golden_files(game: str, name: str) -> None:
    assert not (found := "\n".join(files.differences(golden(game, name), SAMPLE))), found


@each_game
def test_there_are_as_many_positions_of_each_kind_in_every_part(game: str) -> None:
    places = positions.read(game)
    kinds = [place.kind for place in places]
    assert kinds == [*positions.KINDS] * positions.EACH
    assert len({(place.base, place.moves) for place in places}) == len(places)
    assert {path.stem for path in (positions.FOLDER / game).glob("*.csv")} == set(names())


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the golden files."""
    for game in positions.GAMES:
        copytree(positions.FOLDER / game, tmp_path / game)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    return tmp_path


def test_a_difference_names_position_search_and_both_results(copied: Path) -> None:
    search = golden("checkers", "minimax")
    path = copied / "checkers" / "minimax.csv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    value, rest = lines[3].split(",", 1)
    lines[3] = other = f"{int(value) + 1},{rest}"
    path.write_text("".join(lines), "utf-8")
    (told,) = files.differences(search, stop=8)
    place = positions.read("checkers")[2]
    for text in ("position 3 (ending)", place.base, search.settings, other.strip(), f"{value},{rest.strip()}"):
        assert text in told


def test_files_of_other_searches_and_positions_are_refused(copied: Path) -> None:
    search = golden("checkers", "minimax")
    with pytest.raises(ValueError, match=r"holds 'minimax, depth 6.*, not 'deeper'"):
        list(files.differences(search._replace(settings="deeper")))
    path = copied / "checkers" / "minimax.csv"
    path.write_text(path.read_text("utf-8").rpartition("\n")[0].rpartition("\n")[0], "utf-8")
    with pytest.raises(ValueError, match="199 positions, not 200"):
        list(files.differences(search))


def test_written_files_are_those_that_are_compared(copied: Path) -> None:
    path = copied / "checkers" / "f-negascout.csv"
    before = path.read_bytes()
    path.unlink()
    files.write(golden("checkers", "f-negascout"))
    assert path.read_bytes() == before
