# SPDX-License-Identifier: GPL-3.0-or-later
"""MAT files of backgammon: written, read back, read by GNU Backgammon, and bad ones refused."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, mat, native
from engine.games import find
from engine.match.ending import Termination
from engine.match.record import PlayedMove, Player, Record

GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")


def random_record(name: str, seed: int, take: bool = True) -> Record:
    """Return the record of a random game; ``take``: doubles are never dropped."""
    game, chance = find(name), random.Random(seed)
    position = game.look(game.start())
    moves = []
    while not position.over:
        texts = game.move_texts(position)
        text = chance.choice([text for text in texts if not take or text != "drop"])
        moves.append(PlayedMove(text))
        position = game.play(position, texts[text])
    return Record(
        game=name,
        players=(Player("anna"), Player("bo the second")),
        result="1-0" if position.payoffs[0] > 0 else "0-1",
        moves=tuple(moves),
        termination=Termination.DECIDED,
        payoff=max(position.payoffs),
        event="Local match",
        started="2024-05-01",
    )


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(["backgammon", "backgammon/cube"]), take=st.booleans())
def test_games_read_back(seed: int, name: str, take: bool) -> None:
    record = random_record(name, seed, take)
    assert list(mat.read("".join(mat.write([record])).splitlines())) == [record]


def test_backgammon_has_the_format() -> None:
    assert native("backgammon").name == native("backgammon/cube").name == "mat"


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize(("name", "seed"), [("backgammon", 1), ("backgammon/cube", 2), ("backgammon/cube", 3)])
def test_gnu_backgammon_reads_and_writes_the_same_games(name: str, seed: int, tmp_path: Path) -> None:
    record = random_record(name, seed)
    ours, theirs = tmp_path / "ours.mat", tmp_path / "theirs.mat"
    ours.write_text("".join(mat.write([record])), encoding="utf-8")
    assert GNUBG is not None
    subprocess.run(
        [GNUBG, "-t", "-q", "-r"],
        input=f"import mat {ours}\nexport match mat {theirs}\n",
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    again = list(mat.read(theirs.read_text(encoding="utf-8").splitlines()))
    assert [found.moves for found in again] == [record.moves]


FILE = """\
 0 point match

 Game 1
 anna : 0                       bo : 0
  1) 31: 8/5 6/5                66: 24/18 24/18 13/7 13/7
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 anna : 1                       bo : 0
  1)                            62: 24/18 13/11
  2) 61: 24/18 8/7*
      Wins 1 point
"""


def test_several_games_and_resignations_are_read() -> None:
    first, second = mat.read(FILE.splitlines())
    assert [played.move for played in first.moves] == [
        "31",
        "8/5 6/5",
        "roll",
        "66",
        "24/18(2) 13/7(2)",
        "double",
        "drop",
    ]
    assert (first.game, first.result, first.termination) == ("backgammon/cube", "1-0", Termination.DECIDED)
    assert (second.game, second.result, second.termination) == ("backgammon", "1-0", Termination.RESIGNATION)
    assert second.moves[0].move == "26"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("0 point", "5 point", "to 5 points"),
        ("8/5 6/5", "8/4 6/5", "turn 1: .* not a legal move"),
        ("Drops", "31: 8/5 6/5", "it is not the turn|not a legal"),
        (" anna : 0                       bo : 0", "nobody", "players"),
        ("66: 24/18 24/18 13/7 13/7", "hello world and more", "neither a turn"),
    ],
)
def test_bad_games_are_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        list(mat.read(FILE.replace(old, new, 1).splitlines()))


def test_the_other_games_of_a_file_with_a_bad_one_are_read() -> None:
    bad: list[Unreadable] = []
    found = list(mat.read(FILE.replace("8/5 6/5", "8/4 6/5", 1).splitlines(), bad.append))
    assert len(found) == len(bad) == 1
    assert bad[0].line == 3


@given(text=st.text(max_size=200) | st.lists(st.sampled_from(FILE.splitlines()), max_size=12).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        records = list(mat.read(text.splitlines()))
    except Unreadable:
        return
    assert all(record.game.startswith("backgammon") for record in records)


def test_each_match_of_a_file_has_its_own_header() -> None:
    one = random_record("backgammon/cube", 1)
    other = Record(game="backgammon", players=one.players, result="*", moves=(PlayedMove("31"), PlayedMove("8/5 6/5")))
    text = "".join(mat.write([one, other]))
    assert list(mat.read(text.splitlines())) == [one, other]


def test_names_with_signs_of_the_format_are_written_without_them() -> None:
    record = Record(game="backgammon", players=(Player(";anna"), Player(":")), result="*")
    (found,) = mat.read("".join(mat.write([record])).splitlines())
    assert [player.name for player in found.players] == ["anna", "?"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a : 0" + " " * 100_000 + "x", "longer than"),
        (" " * 100_000 + "x", "longer than"),
        ("a : 0  b : 0\n" + "x" * 1_100_000, "longer than"),
    ],
    ids=["spaces between", "spaces before", "too long"],
)
def test_long_lines_are_refused(line: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        list(mat.read([" 0 point match", " Game 1", *line.splitlines()]))


def test_text_before_the_first_game_is_reported_once() -> None:
    told: list[Unreadable] = []
    found = list(mat.read(["hello", "world", *FILE.splitlines()], told.append))
    assert (len(found), [each.line for each in told]) == (2, [1])


def test_games_from_other_positions_are_not_written() -> None:
    record = Record(game="backgammon", players=(Player("a"), Player("b")), result="*", start="4DP4ASLgM/iABQ")
    with pytest.raises(ValueError, match="from another position"):
        list(mat.write([record]))
    with pytest.raises(ValueError, match="no notation"):
        list(mat.write([Record(game="chess", players=(Player("a"), Player("b")), result="*")]))


@pytest.mark.parametrize("line", [" " * 200_000 + "x", "a : 0  " * 100_000, " " * 900_000 + "a : 0"])
def test_a_line_of_any_length_is_refused_at_once(line: str) -> None:
    found: list[Unreadable] = []
    assert not list(mat.read([" 0 point match", " Game 1", line], found.append))
    assert [each.reason for each in found] == ["a line is longer than 1,000 characters"]


@pytest.mark.parametrize("line", [" " * 999 + "x", ("a : 0  " * 200)[:999], " : 0    : 0", "a : 0", "a : 0   b : 0  c"])
def test_lines_that_name_no_two_players_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="does not begin with the players"):
        list(mat.read([" 0 point match", " Game 1", line]))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("  1) 31: 8/5 6/5   99: x", "'99:' is neither a turn nor a double"),
        ("  1) 31: 8/5 6/5   42: 8/4 6/4   51: 13/8 6/5", "a line has 3 turns; it has those of two players at most"),
    ],
)
def test_a_refusal_names_what_is_wrong_in_a_line(line: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=f"line 2: {reason}"):
        list(mat.read([" 0 point match", " Game 1", " a : 0    b : 0", line]))
