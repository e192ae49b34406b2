# SPDX-License-Identifier: GPL-3.0-or-later
"""GGF: written games are read back; foreign files are read, or refused with a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, ggf
from engine.games import find
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record

GAME = (
    "noise (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]"
    "TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    "B[d3//0.01]W[c3//0.01]\nB[c4/1.5/0.3]W[PA];)(;GM[Othello]"
)


def read(text: str) -> list[Record]:
    return list(ggf.read(text.splitlines(keepends=True)))


def reason(text: str) -> str:
    """Why the only game of a text cannot be read."""
    refused: list[Unreadable] = []
    assert list(ggf.read(text.splitlines(keepends=True), refused.append)) == []
    (only,) = refused
    return only.reason


names = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).filter(
    lambda name: name != "?" and ";)" not in name
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A random game, played by the referee until it ends or is given up."""
    chance = draw(st.randoms(use_true_random=False))
    name = draw(st.sampled_from(["othello", "othello/6x6"]))
    full = find(name).board.rows
    start = draw(
        st.sampled_from([None, "X" + "-" * (full * full // 2 - 1) + "OX" + "-" * (full * full // 2 - 2) + " X"])
    )
    match = Match(find(name), start=start)
    for _ in range(draw(st.integers(0, 70))):
        if match.to_move is not None:
            info = Info(score=chance.randrange(-999, 999) / 100) if chance.random() < 0.5 else None
            match.play(match.to_move, chance.choice(match.legal), chance.randrange(1, 400), info)
    if not match.ending:
        match.resign(draw(st.integers(0, 1)))
    players = [Player(draw(names), rating=draw(st.none() | st.integers(0, 4000).map(float))) for _ in range(2)]
    return Record.from_match(
        match,
        (players[0], players[1]),
        site=draw(st.sampled_from(["", "home"])),
        started=draw(st.sampled_from([None, "1926-05-02", "2024-05-01T12:00:00Z"])),
    )


@settings(deadline=None, max_examples=30)
@given(st.lists(records(), max_size=3))
def test_records_are_unchanged_after_write_and_read(written: list[Record]) -> None:
    text = "".join(ggf.write(written))
    assert text.count("\n") == len(written)
    assert read(text) == written


def test_the_text_of_a_written_game() -> None:
    record = Record(
        game="othello/6x6",
        players=(Player("anna", "2", 1510.4), Player("b]o")),
        result="0-1",
        opening=("c2",),
        moves=(PlayedMove("b2", 1250, 59_000, Info(score=0.314, depth=12)),),
        termination=Termination.TIME,
        started="2024-05-01T12:00:00Z",
        tags={"TI": "05:00"},
    )
    assert "".join(ggf.write([record])) == (
        "(;GM[Othello]DT[2024.05.01_12:00:00.GMT]PB[anna]RB[1510.40]PW[b\\]o]RE[-64.000:t]TI[05:00]TY[6]"
        "BO[6 --------------O*----*O-------------- *]B[C2]W[B2/0.31/1.25];)\n"
    )


def test_what_others_write_is_read() -> None:
    text = GAME.replace("W[PA]", "").removesuffix("(;GM[Othello]")
    (record,) = read(text)
    assert record.players == (Player("Saio1200", rating=2197.01), Player("Saio3000", rating=2199.72))
    assert [played.move for played in record.moves] == ["d3", "c3", "c4"]
    assert record.moves[2] == PlayedMove("c4", 300, None, Info(score=1.5))
    assert (record.result, record.started, record.site) == ("1/2-1/2", "2003-12-15T13:24:03Z", "GGS/os")
    assert record.tags == {"TI": "05:00//02:00"}


def test_a_pass_that_is_not_written_is_added() -> None:
    board = "XXO" + "-" * 61
    (record,) = read(f"(;TY[8]BO[8 {board} O]B[d1];)")
    assert [played.move for played in record.moves] == ["pass", "d1"]
    assert (record.result, record.termination) == ("1-0", Termination.DECIDED)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GAME, "not a legal move"),
        ("(;GM[Chess];)", "not Othello"),
        ("(;TY[8a];)", "types are 8 and 6"),
        ("(;TY[8]BO[6 x];)", "size 6"),
        ("(;TY[8]BO[8 x];)", "64 squares"),
        ("(;W[d3];)", "turn of White"),
        ("(;B[d3]W[d3];)", "move 2: 'd3' is not a legal move"),
        ("(;B[d3] d4;)", "is not a property"),
        ("(;PB[" + "a" * 2_000_000 + "];)", "longer than"),
    ],
)
def test_unreadable_games_are_refused_with_a_reason(text: str, words: str) -> None:
    assert words in reason(text.removesuffix("(;GM[Othello]"))


def test_other_games_have_no_notation() -> None:
    with pytest.raises(ValueError, match="chess"):
        list(ggf.write([Record(game="chess", players=(Player("a"), Player("b")), result="*")]))


@settings(deadline=None, max_examples=50)
@given(st.text("(;)[]\\GMBWTY8 d3/*O-\n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    list(ggf.read(text.splitlines(keepends=True), lambda unreadable: None))


def test_a_line_with_many_games_or_properties_is_read_in_one_pass() -> None:
    """Copies of the rest of the line for each game would take hours."""
    found: list[Unreadable] = []
    assert not list(ggf.read(["(;GM[Go];)" * 50_000], found.append))
    assert len(found) == 50_000
    long = "(;" + "A[]" * 200_000 + " " * 300_000 + ";)"
    (record,) = ggf.read([long], found.append)
    assert record.tags == {"A": ""}


def test_a_value_with_escapes_is_read() -> None:
    (record,) = ggf.read([r"(;GM[Othello]PB[a\]b\\c]PW[bo];)"])
    assert record.players[0].name == "a]b\\c"
