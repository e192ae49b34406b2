# SPDX-License-Identifier: GPL-3.0-or-later
"""PGN: written games are read back, also by python-chess; foreign files are read, or refused with a reason."""

import io
import random
from itertools import islice
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, movetext, pgn
from engine.games import find
from engine.games.chess import fen
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record
from engine.time_control import TimeControl

COLLECTIONS = sorted((Path(__file__).parents[4] / "shared" / "data").glob("*.pgn"))
SAMPLE = 200
"""Games read from each collection."""

START = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"
SMALL = """[Event "Skittles"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0
"""


def read(text: str) -> list[Record]:
    """The records of a text in which every game can be read."""
    return list(pgn.read(text.splitlines(keepends=True)))


def reason(text: str) -> str:
    """Why the only game of a text cannot be read."""
    refused: list[Unreadable] = []
    assert list(pgn.read(text.splitlines(), refused.append)) == []
    (only,) = refused
    return only.reason


def texts(record: Record) -> list[str]:
    return [played.move for played in record.moves]


def played(seed: int) -> Record:
    """A random game, played by the referee until it ends or is given up."""
    chance = random.Random(seed)
    start = chance.choice([None, START, START.replace(" b ", " w ")])
    clock = chance.choice([None, TimeControl(60_000, 500)])
    first = Match(find("chess"), start=start)
    for _ in range(chance.randint(0, 3)):
        first.play(first.position.to_move, chance.choice(first.legal))
    match = Match(find("chess"), start=start, opening=[moved.move for moved in first.moves], time_control=clock)
    for _ in range(chance.randint(0, 60)):
        if match.to_move is not None:
            info = Info(score=chance.randrange(-999, 999) / 100, depth=chance.randrange(20))
            match.play(match.to_move, chance.choice(match.legal), chance.randrange(400), chance.choice([None, info]))
    if not match.ending:
        match.resign(0)
    players = Player('Ünal, "Q" \\o', "1.2", 1510.0), Player("b")
    return Record.from_match(
        match, players, seed=chance.getrandbits(60), event="Cup", started="2024-05-01T12:00:00Z", finished="2024-05-02"
    )


def without_clocks(record: Record) -> Record:
    """What PGN keeps of a record: not the clocks."""
    kept = {name: getattr(record, name) for name in Record.__struct_fields__}
    kept["moves"] = tuple(PlayedMove(move.move, move.elapsed, None, move.info) for move in record.moves)
    return Record(**kept)


@settings(deadline=None, max_examples=15)
@given(st.lists(st.integers(0, 2**32), max_size=3))
def test_records_are_unchanged_after_write_and_read(seeds: list[int]) -> None:
    written = [played(seed) for seed in seeds]
    text = "".join(pgn.write(written))
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))
    assert read(text) == [without_clocks(record) for record in written]
    handle = io.StringIO(text)
    for record in written:
        game = chess.pgn.read_game(handle)
        assert game is not None
        assert not game.errors
        assert [move.uci() for move in game.mainline_moves()] == [*record.opening, *texts(record)]
        assert game.headers["Result"] == record.result
    assert chess.pgn.read_game(handle) is None


def test_principal_variations_are_wrapped_and_read_back() -> None:
    line = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3")
    moves = tuple(PlayedMove(move, 1250, None, Info(0.314, 12, 98_765, line[ply:])) for ply, move in enumerate(line))
    record = Record(game="chess", players=(Player("anna"), Player("bo")), result="*", moves=moves)
    text = "".join(pgn.write([record]))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert [move.info for move in read(text)[0].moves] == [Info(0.31, 12, 98_765, line[ply:]) for ply in range(13)]
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert 'n=98765, pv="e2e4 e7e5' in game.variations[0].comment.replace("\n", " ")


def test_the_text_of_a_written_game() -> None:
    record = Record(
        game="chess",
        players=(Player("anna", "2", 1510.4), Player("bo")),
        result="1/2-1/2",
        start=START,
        opening=("e8g8",),
        moves=(PlayedMove("e1c1", 1250, 59_000, Info(score=0.314, depth=12, nodes=5)), PlayedMove("h3g2", 45)),
        termination=Termination.AGREEMENT,
        time_control="60+0.5",
        seed=7,
        event="Cup",
        started="2024-05-01T12:00:00Z",
        tags={"ECO": "A00"},
    )
    assert "".join(pgn.write([record])) == (
        '[Event "Cup"]\n[Site "?"]\n[Date "2024.05.01"]\n[Round "?"]\n[White "anna"]\n[Black "bo"]\n'
        '[Result "1/2-1/2"]\n[WhiteElo "1510"]\n[WhiteVersion "2"]\n[TimeControl "60+0.5"]\n'
        '[Termination "normal"]\n[TerminationDetails "agreement"]\n[SetUp "1"]\n'
        f'[FEN "{START}"]\n'
        '[PlyCount "3"]\n[GameStartTime "2024-05-01T12:00:00Z"]\n[Seed "7"]\n[ECO "A00"]\n'
        "\n1... O-O {book} 2. O-O-O {+0.31/12 1.25s, n=5} hxg2 {0.045s} 1/2-1/2\n\n"
    )


def test_the_standard_start_is_not_written() -> None:
    record = Record(game="chess", players=(Player("a"), Player("b")), result="*", start=fen.START)
    assert "FEN" not in next(pgn.write([record]))


# ---------------------------------------------------------------- what others write


def test_comments_variations_annotations_and_long_moves_are_read() -> None:
    text = """1.e4! {best
    by (test)} e5 $1 (1... c5 {never} 2. Nf3 (2. Zz9 junk) 2... d6) 2. Ng1-f3 ; Nc6 to the end of the line
    Nb8c6 3. Bb5 a6 4. 0-0?! {[%clk 0:03:00]} *"""
    (record,) = read(text)
    assert texts(record) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]


def test_games_follow_each_other_without_blank_lines_and_with_other_line_ends() -> None:
    text = "\ufeff" + (SMALL + SMALL).replace("\n", "\r\n") + '[Event "Empty"]\n[Result "*"]\n\n[Event "Next"]\n*\n'
    assert [record.event for record in read(text)] == ["Skittles", "Skittles", "Empty", "Next"]


def test_unknown_tags_are_kept_and_unknown_values_are_omitted() -> None:
    (record,) = read(
        '[Event "?"]\n[Date "1955.??.??"]\n[White "X"]\n[WhiteElo ""]\n[BlackElo "1800"]\n[ECO "E91"]\n\n1.d4 *\n'
    )
    assert (record.event, record.started, record.tags) == ("", "1955", {"ECO": "E91"})
    assert record.players == (Player("X"), Player("?", rating=1800.0))


def test_a_start_position_is_normalised() -> None:
    (record,) = read('[SetUp "1"]\n[FEN "4k3/8/8/8/4P3/8/8/4K3 b - e3 17 40"]\n\n40... Kd7 *\n')
    assert record.start == "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"
    assert texts(record) == ["e8d7"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SMALL.replace("Nc6", "Ke3"), "move 4: illegal san: 'Ke3'"),
        (SMALL.replace("Nc6", "Nd7"), "move 4: "),
        (SMALL.replace("Nc6", "--"), "move 4: the move is missing"),
        (SMALL.replace("[White", '[FEN "X"]\n[White'), "'X' is not a position"),
        (SMALL.replace("[White", '[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n[White'), "black has no king"),
        (SMALL.replace("[White", '[Variant "Atomic"]\n[White'), "the game is of a variant of chess"),
        (
            '[FEN "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"]\n1. Kxd2 Kd7 2. Ke3 *',
            "move 2: neither side has the material to mate",
        ),
        ("1. e4", "the game has no result"),
        ("1. e4 1-0 e5", "a move follows the result"),
        ("1. e4 $" + "9" * 5000 + " *", "Exceeds the limit"),
        ("1. e4 {" + "x" * movetext.LIMIT + "\n} *", "longer than 1,000,000 characters"),
    ],
)
def test_invalid_games_are_refused_with_the_reason(text: str, why: str) -> None:
    assert why in reason(text)


def test_valid_games_around_an_invalid_one_are_read_and_its_line_is_reported() -> None:
    refused: list[Unreadable] = []
    text = SMALL + "\n" + SMALL.replace("e5", "e9") + "\n" + SMALL.replace("e5", "Ke7") + SMALL
    assert len(list(pgn.read(text.splitlines(), refused.append))) == 2
    assert [one.line for one in refused] == [8, 15]
    with pytest.raises(Unreadable, match="line 8"):
        read(text)


@settings(deadline=None)
@given(st.text(alphabet='[]"{}();.*-xO=+#$!? \n0123456789abcdefghNBRQKEvent', max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused: list[Unreadable] = []
    for record in pgn.read(text.splitlines(), refused.append):
        assert list(record.positions())


def test_other_games_are_not_written() -> None:
    record = Record(game="tictactoe", players=(Player("a"), Player("b")), result="*")
    with pytest.raises(ValueError, match="no notation for tictactoe"):
        list(pgn.write([record]))


def test_records_are_read_and_written_as_a_stream() -> None:
    games = pgn.read(line for _ in iter(int, 1) for line in SMALL.splitlines())
    assert [next(games).event for _ in range(3)] == ["Skittles"] * 3


@pytest.mark.parametrize("path", COLLECTIONS, ids=lambda path: path.stem)
def test_collections_are_read_and_written_and_read_back(path: Path) -> None:
    with path.open(encoding="latin-1") as lines:
        found = list(islice(pgn.read(lines), SAMPLE))
    assert len(found) == SAMPLE
    assert list(pgn.read("".join(pgn.write(found)).splitlines())) == found
    for record in found[:20]:
        assert list(record.positions())
