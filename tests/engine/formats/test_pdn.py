# SPDX-License-Identifier: GPL-3.0-or-later
"""PDN: written games are read back; foreign files are read, or refused with a reason."""

import random
from pathlib import Path

import pytest
from draughts.PDN import PDNReader
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, movetext, pdn
from engine.games import find
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record
from engine.time_control import TimeControl

COLLECTION = Path(__file__).parents[4] / "shared" / "data" / "tinsley.pdn"

SMALL = """[Event "Skittles"]
[Black "A"]
[White "B"]
[Result "1-0"]
1. 11-15 23-18 2. 8-11 27-23 1-0
"""


def read(text: str) -> list[Record]:
    """The records of a text in which every game can be read."""
    return list(pdn.read(text.splitlines(keepends=True)))


def reason(text: str) -> str:
    """Why the only game of a text cannot be read."""
    refused: list[Unreadable] = []
    assert list(pdn.read(text.splitlines(), refused.append)) == []
    (only,) = refused
    return only.reason


def texts(record: Record) -> list[str]:
    return [played.move for played in record.moves]


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A random game, played by the referee until it ends or is given up."""
    chance = draw(st.randoms(use_true_random=False))
    name = draw(st.sampled_from(["checkers", "checkers/lecture"]))
    start = draw(st.sampled_from([None, "W:W18,24,27,28,K10:B12,16,20,K22"]))
    clock = draw(st.sampled_from([None, TimeControl(60_000, 500)]))
    match = Match(find(name), start=start, time_control=clock)
    first = Match(find(name), start=start)
    for _ in range(draw(st.integers(0, 3))):
        first.play(first.position.to_move, chance.choice(first.legal))
    opening = [moved.move for moved in first.moves]
    match = Match(find(name), start=start, opening=opening, time_control=clock)
    for _ in range(draw(st.integers(0, 60))):
        if match.to_move is not None:
            info = (
                Info(score=chance.randrange(-999, 999) / 100, depth=chance.randrange(20))
                if chance.random() < 0.5
                else None
            )
            match.play(match.to_move, chance.choice(match.legal), chance.randrange(400), info)
    if not match.ending:
        match.resign(0)
    player = st.builds(Player, name=names, version=st.sampled_from(["", "1.2"]), rating=st.none() | ratings)
    return Record.from_match(
        match,
        (draw(player), draw(player)),
        seed=draw(st.none() | st.integers(0, 2**63)),
        event=draw(names),
        started=draw(st.sampled_from([None, "1926", "1926-05", "1926-05-02", "2024-05-01T12:00:00Z"])),
        finished=draw(st.sampled_from([None, "2024-05-01T12:10:00Z"])),
    )


names = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).filter(
    lambda name: name not in "?-"
)
ratings = st.integers(0, 4000).map(float)


def without_clocks(record: Record) -> Record:
    """What PDN keeps of a record: not the clocks."""
    kept = {name: getattr(record, name) for name in Record.__struct_fields__}
    kept["moves"] = tuple(PlayedMove(move.move, move.elapsed, None, move.info) for move in record.moves)
    return Record(**kept)


@settings(deadline=None, max_examples=30)
@given(st.lists(records(), max_size=3))
def test_records_are_unchanged_after_write_and_read(written: list[Record]) -> None:
    text = "".join(pdn.write(written))
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))
    assert read(text) == [without_clocks(record) for record in written]


def test_the_text_of_a_written_game() -> None:
    record = Record(
        game="checkers",
        players=(Player("anna", "2", 1510.4), Player('b "q" \\o')),
        result="1/2-1/2",
        start="W:W18,24:B12,K22",
        opening=("24-19",),
        moves=(PlayedMove("22x15", 1250, 59_000, Info(score=0.314, depth=12, nodes=5)), PlayedMove("19x10", 45)),
        termination=Termination.NO_PROGRESS,
        time_control="60+0.5",
        seed=7,
        event="Cup",
        started="2024-05-01T12:00:00Z",
        tags={"Annotator": "me"},
    )
    assert "".join(pdn.write([record])) == (
        '[Event "Cup"]\n[Site "?"]\n[Date "2024.05.01"]\n[Round "?"]\n[White "b \\"q\\" \\\\o"]\n[Black "anna"]\n'
        '[Result "1/2-1/2"]\n[GameType "21"]\n[BlackElo "1510"]\n[BlackVersion "2"]\n[TimeControl "60+0.5"]\n'
        '[Termination "normal"]\n[TerminationDetails "no-progress rule"]\n[SetUp "1"]\n[FEN "W:W18,24:B12,K22"]\n'
        '[PlyCount "3"]\n[GameStartTime "2024-05-01T12:00:00Z"]\n[Seed "7"]\n[Annotator "me"]\n'
        "\n1... 24-19 {book} 2. 22x15 {+0.31/12 1.25s, n=5} 19x10 {0.045s} 1/2-1/2\n\n"
    )


def test_the_standard_start_is_not_written() -> None:
    game = find("checkers")
    record = Record(
        game="checkers", players=(Player("a"), Player("b")), result="*", start=game.format_position(game.start())
    )
    assert "FEN" not in next(pdn.write([record]))


def test_pydraughts_reads_written_games() -> None:
    chance = random.Random(3)
    for _ in range(20):
        match = Match(find("checkers"))
        while match.to_move is not None:
            match.play(match.to_move, chance.choice(match.legal))
        record = Record.from_match(match, (Player("a"), Player("b")))
        (game,) = PDNReader("".join(pdn.write([record]))).games
        assert game.moves == texts(record)
        assert game.game_ending == record.result
        assert game.variant == "english"


# ---------------------------------------------------------------- what others write


def test_nonstandard_separators_and_short_captures_are_read() -> None:
    (record,) = read('[Result "*"]\n1. 10x14 24-19 2. 7:10 28 - 24 3. 11-16 32-28 *')
    assert texts(record)[:5] == ["10-14", "24-19", "7-10", "28-24", "11-16"]
    (record,) = read('[FEN "B:W14,22:BK10"]\n1. 10x26 *')
    assert texts(record)[0].startswith("10x")


def test_comments_variations_and_annotations_are_not_moves() -> None:
    text = """1.11-15! {a comment
    over (two) lines} 23-18?! (1... 24-19 {never} (24-20)) $5 ; 8-11 to the end of the line
    2. 8-11* 27-23Blackforgothisclock 0-1"""
    (record,) = read(text)
    assert texts(record) == ["11-15", "23-18", "8-11", "27-23"]
    assert record.result == "0-1"


def test_games_follow_each_other_without_blank_lines_and_with_other_line_ends() -> None:
    text = (
        "\ufeff"
        + (SMALL + SMALL).replace("\n", "\r\n")
        + '[Event "Empty"]\n[Result "*"]\n\n[Event "Next"]\n[Result "*"]\n'
    )
    assert [record.event for record in read(text)] == ["Skittles", "Skittles", "Empty", "Next"]


def test_a_bracket_in_a_comment_starts_no_game() -> None:
    (record,) = read(SMALL.replace("2. 8-11", '{\n[Event "no"]\n} 2. 8-11'))
    assert len(record.moves) == 4


def test_results_of_international_draughts_are_read() -> None:
    assert [read(f"1. 11-15 {result}")[0].result for result in ("2-0", "1-1", "0-2")] == ["1-0", "1/2-1/2", "0-1"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SMALL.replace("23-18", "23-14"), "move 2: '23-14' is not a legal move here"),
        (SMALL.replace("[Event", '[GameType "20"]\n[Event'), "GameType 20 is not English draughts (21)"),
        (SMALL.replace("[Event", '[FEN "X"]\n[Event'), "not a position"),
        (SMALL.replace("[Event", '[Variant "odd"]\n[Event'), "no game is called 'checkers/odd'"),
        (SMALL.replace("2. 8-11", "( 2. 8-11"), "a variation does not end"),
        (SMALL.replace("2. 8-11", ") 2. 8-11"), "the end of a variation has no beginning"),
        (SMALL.replace("2. 8-11", "\x00 8-11"), "neither a move nor a comment"),
        (SMALL.replace("2. 8-11", "{ 8-11"), "neither a move nor a comment"),
        ("1. 11-15", "the game has no result"),
        ("1. 11-15 1-0 23-18", "a move follows the result"),
        ("1. 11-15 {" + "x" * movetext.LIMIT + "\n} *", "longer than 1,000,000 characters"),
    ],
)
def test_invalid_games_are_refused_with_the_reason(text: str, why: str) -> None:
    assert why in reason(text)


def test_valid_games_around_an_invalid_one_are_read_and_its_line_is_reported() -> None:
    refused: list[Unreadable] = []
    text = SMALL + "\n" + SMALL.replace("23-18", "23-14") + "\n" + SMALL
    assert len(list(pdn.read(text.splitlines(), refused.append))) == 2
    assert [str(one) for one in refused] == ["line 7: move 2: '23-14' is not a legal move here"]
    with pytest.raises(Unreadable, match="line 7"):
        read(text)


@given(st.text(alphabet='[]"{}();.*-x: \n0123456789Event', max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused: list[Unreadable] = []
    for record in pdn.read(text.splitlines(), refused.append):
        assert list(record.positions())


def test_other_games_are_not_written() -> None:
    assert not pdn.covers("checkersboard")
    record = Record(game="tictactoe", players=(Player("a"), Player("b")), result="*")
    with pytest.raises(ValueError, match="no notation for tictactoe"):
        list(pdn.write([record]))


def test_records_are_read_and_written_as_a_stream() -> None:
    endless = (line for _ in iter(int, 1) for line in SMALL.splitlines())
    games = pdn.read(endless)
    assert [next(games).event for _ in range(3)] == ["Skittles"] * 3
    written = pdn.write(pdn.read(line for _ in iter(int, 1) for line in SMALL.splitlines()))
    assert next(written) == next(written)


@pytest.mark.skipif(
    not COLLECTION.exists(), reason="the collection of Marion Tinsley's games is no part of the project"
)
def test_a_collection_of_historic_games_is_read_except_one_with_a_misprint() -> None:
    refused: list[Unreadable] = []
    with COLLECTION.open(encoding="latin-1") as lines:
        found = list(pdn.read(lines, refused.append))
    assert len(found) == 723
    # its 62nd move starts from an empty square
    assert [str(one) for one in refused] == ["line 5572: move 123: '32-28' is not a legal move here"]
    assert list(pdn.read("".join(pdn.write(found)).splitlines())) == found
