# SPDX-License-Identifier: GPL-3.0-or-later
"""SGF: written games are read back, also by sgfmill; foreign files are read, or refused with a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill

from engine.formats import Unreadable, movetext, native, sgf
from engine.games import find
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record
from engine.time_control import TimeControl

HEAD = "(;GM[1]FF[4]SZ[9]"
STARTS = [None, "9/9/9/9/4x4/9/9/9/9 w", "9/9/9/9/9/3xo4/2xo1o3/3xo4/9 b ko E3", "9/9/9/9/9/9/9/9/9 w pass"]


def read(text: str) -> list[Record]:
    """The records of a text in which every game can be read."""
    return list(sgf.read(text.splitlines(keepends=True)))


def reason(text: str) -> str:
    """Why the only game of a text cannot be read."""
    refused: list[Unreadable] = []
    assert list(sgf.read(text.splitlines(keepends=True), refused.append)) == []
    (only,) = refused
    return only.reason


def texts(record: Record) -> list[str]:
    return [played.move for played in record.moves]


names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.sampled_from("]\\:;() "), max_size=12)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A random game, played by the referee until it ends or is given up."""
    chance = draw(st.randoms(use_true_random=False))
    game = find(draw(st.sampled_from(["go/9x9"] * 9 + ["go/13x13", "go/19x19"])))
    start = draw(st.sampled_from(STARTS)) if game.name == "go/9x9" else None
    clock = draw(st.sampled_from([None, TimeControl(60_000, 500)]))
    match = Match(game, start=start, time_control=clock, opening=["A9"] * draw(st.integers(0, 1)))
    for _ in range(draw(st.integers(0, 30))):
        if match.ending is None:
            info = draw(st.sampled_from([None, Info(score=0.5, depth=3, nodes=1000, pv=("C4", "pass"))]))
            match.play(match.position.to_move, chance.choice(match.legal), elapsed=10 * chance.randrange(9), info=info)
    end = draw(st.sampled_from(["pass", "resign", "crash", "void", "draw"]))
    seat = match.position.to_move
    if match.ending is None and end == "pass":
        while match.ending is None:
            match.play(match.position.to_move, "pass")
    elif match.ending is None and end == "resign":
        match.resign(seat)
    elif match.ending is None and end == "crash":
        match.forfeit(seat, Termination.CRASH, "exit status 1")
    elif match.ending is None:
        match.void("the arena stopped")
    name = " ".join(draw(names).split())
    players = Player(name or "?", "2", 1620.0), Player("b", rating=None)
    return Record.from_match(match, players, seed=7, event="Cup: [a]", round="1.2", started="2024-05-01T12:00:00Z")


@settings(max_examples=20, deadline=None)
@given(written=st.lists(records(), max_size=2))
def test_written_games_are_read_back(written: list[Record]) -> None:
    text = "".join(sgf.write(written))
    assert [without_clocks(record) for record in written] == [without_clocks(record) for record in read(text)]


def without_clocks(record: Record) -> Record:
    """SGF has comments on moves like PGN: no clocks, and of the info what such comments have."""
    moves = tuple(movetext.read_comment(played.move, movetext.write_comment(played)) for played in record.moves)
    return Record(**{name: getattr(record, name) for name in Record.__struct_fields__} | {"moves": moves})


@settings(max_examples=15, deadline=None)
@given(record=records())
def test_sgfmill_reads_the_same_games(record: Record) -> None:
    (text,) = sgf.write([record])
    game = sgfmill.Sgf_game.from_string(text)
    side = find(record.game).board.rows
    assert game.get_size() == side
    assert game.get_komi() == (7.0 if side == 9 else 7.5)
    assert game.get_winner() == {"1-0": "b", "0-1": "w"}.get(record.result)
    assert game.get_player_name("b") == (record.players[0].name)
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    spelled = ["pass" if point is None else f"{'ABCDEFGHJKLMNOPQRST'[point[1]]}{point[0] + 1}" for _, point in moves]
    assert spelled == [*record.opening, *texts(record)]
    if record.start is not None:
        board = record.start.split()[0]
        assert [len(stones) for stones in game.root.get_setup_stones()[:2]] == [board.count("x"), board.count("o")]


def test_sgf_is_the_standard_format_of_go() -> None:
    assert {native(f"go/{size}").name for size in ("9x9", "13x13", "19x19")} == {"sgf"}
    with pytest.raises(ValueError, match="no notation for chess"):
        list(sgf.write([Record(game="chess", players=(Player("a"), Player("b")), result="*")]))


# ---------------------------------------------------------------- foreign files


def test_a_usual_file_is_read() -> None:
    (record,) = read(
        "\ufeffSome text before\n(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]RU[Japanese]PB[Honinbo Shusaku]PW[Gennan]BR[4d]\n"
        "DT[1846-09-11]EV[Castle\ngame]RE[B+2]GN[The ear\\]reddening game]\n;B[qd]"
        ";W[dc]C[a usual\nmove]TR[qd];B[pq];W[])"
    )
    assert record.game == "go/19x19"
    assert texts(record) == ["R16", "D17", "Q3", "pass"]
    assert record.players[0] == Player("Honinbo Shusaku")
    assert (record.result, record.started, record.event) == ("1-0", "1846-09-11", "Castle game")
    assert record.tags == {"KM": "6.5", "RU": "Japanese", "BR": "4d", "GN": "The ear]reddening game"}
    assert "RU[Japanese]" in next(sgf.write([record]))


def test_the_main_line_is_read_and_variations_are_counted() -> None:
    (record,) = read(f"{HEAD};B[aa](;W[bb](;B[cc];W[dd])(;B[ee]))(;W[ff](;B[gg])(;B[hh]))(;W[ii]))")
    assert texts(record) == ["A9", "B8", "C7", "D6"]
    assert record.tags == {sgf.VARIATIONS: "3 skipped"}


def test_parentheses_in_texts_are_no_variations() -> None:
    (record,) = read(f"{HEAD}C[(;B[aa\\]) a \\\\]PB[a\\\nb];B[aa]C[)(])")
    assert texts(record) == ["A9"]
    assert record.players[0].name == "ab"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("B+R", ("1-0", Termination.RESIGNATION)),
        ("w+resign", ("0-1", Termination.RESIGNATION)),
        ("W+T", ("0-1", Termination.TIME)),
        ("B+F", ("1-0", None)),
        ("B+", ("1-0", None)),
        ("W+0.5", ("0-1", Termination.DECIDED)),
        ("0", ("1/2-1/2", None)),
        ("Draw", ("1/2-1/2", None)),
        ("Void", ("*", Termination.VOID)),
        ("?", ("*", None)),
        ("", ("*", None)),
    ],
)
def test_results_are_read(result: str, expected: tuple[str, Termination | None]) -> None:
    (record,) = read(f"{HEAD}RE[{result}])")
    assert (record.result, record.termination) == expected


def test_the_margin_is_written() -> None:
    match = Match(find("go/9x9"))
    for move in ("E5", "pass", "pass"):
        match.play(match.position.to_move, move)
    (text,) = sgf.write([Record.from_match(match, (Player("a"), Player("b")))])
    assert "RE[B+74]" in text


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("HA[2]AB[cc][gg];W[ee]", "9/9/2x6/9/9/9/6x2/9/9 w"),
        ("HA[2]AB[cc][gg]", "9/9/2x6/9/9/9/6x2/9/9 w"),
        ("AB[aa:bb]AW[ii]PL[B];B[ee]", "xx7/xx7/9/9/9/9/9/9/8o b"),
        (";AB[aa];AE[aa]AW[bb]PL[w];W[ee]", "9/1o7/9/9/9/9/9/9/9 w"),
        (";W[ee]", "9/9/9/9/9/9/9/9/9 w"),
        (";B[ee]", None),
    ],
)
def test_setup_stones_are_the_start(text: str, start: str | None) -> None:
    (record,) = read(f"{HEAD}{text})")
    assert record.start == start


def test_old_files_name_properties_with_small_letters_and_pass_by_tt() -> None:
    (record,) = read("(;GaMe[1]SiZe[19];Black[dd];White[tt];B[];W[];B[tt])")
    assert texts(record) == ["D16", "pass", "pass"]


def test_readers_go_on_after_a_game_that_cannot_be_read() -> None:
    refused: list[Unreadable] = []
    lines = f"{HEAD};B[aa])\n{HEAD};B[zz])\n\n{HEAD};B[bb])".splitlines(keepends=True)
    assert [texts(record) for record in sgf.read(lines, refused.append)] == [["A9"], ["B8"]]
    assert [each.line for each in refused] == [2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no game at all", "this is not SGF"),
        (f"{HEAD};B[aa]", "does not end"),
        (f"{HEAD};B[aa", "does not end"),
        ("(;GM[2];B[aa])", "GM[2] is not Go"),
        ("(;SZ[5])", "the board must be one of 9, 13, 19"),
        ("(;SZ[9:13])", "the board must be one of"),
        ("(;SZ[٩])", "the board must be one of"),
        ("(B[aa])", "the first node has no semicolon"),
        ("()", "the game has no node"),
        (f"{HEAD};[aa])", "has no property"),
        (f"{HEAD};B[aa]?)", "'?)' is not a part of an SGF game"),
        (f"{HEAD};B[zz])", "[zz] is not a point of a board of 9 by 9"),
        (f"{HEAD};B[a])", "[a] is not a point"),
        (f"{HEAD};B[aa];W[aa])", "move 2: 'A9' is not a legal move here"),
        (f"{HEAD};B[aa];B[bb])", "move 2: it is White's turn"),
        (f"{HEAD};B[aa];B[])", "move 2: it is White's turn"),
        (f"{HEAD};B[aa]W[bb])", "move 1: a node has moves of both sides"),
        (f"{HEAD};B[];W[];B[aa])", "move 3: A9 follows the two passes"),
        (f"{HEAD};B[aa];AB[bb];W[cc])", "after move 1: stones are set up (AB)"),
        (f"{HEAD};B[aa](;W[bb]);B[cc])", "a node follows the variations"),
        (f"{HEAD}PL[x])", "PL[X] is neither B nor W"),
        (f"{HEAD}AB[aa]AW[ba][ab];B[ee])", "the black stone on A9 has no liberty"),
        (
            f"{HEAD}AW[ah][bi]AB[bh][ch][di]PL[W];W[ci];B[ai];W[bi])",
            "move 3: 'B1' repeats an earlier position (superko)",
        ),
        (f"{HEAD}C[{'x' * 1_000_001}])", "longer than 1,000,000 characters"),
        (f"{HEAD}\n{'C[x]' * 300_000}\n)", "longer than 1,000,000 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(text: str, expected: str) -> None:
    assert expected in reason(text)


@settings(max_examples=150, deadline=None)
@given(text=st.text("();BWABPL[]\\:abcdez \n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused: list[Unreadable] = []
    for head in ("", HEAD):
        for record in sgf.read((head + text).splitlines(keepends=True), refused.append):
            assert record.game.startswith("go/")
            assert all(isinstance(played, PlayedMove) for played in record.moves)


def test_a_main_line_of_too_many_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 20,000 nodes"):
        list(sgf.read(["(;SZ[9]" + ";" * 900_000 + ")"]))


def test_a_line_may_hold_more_games_than_one_game_may_have_characters() -> None:
    found: list[Unreadable] = []
    game = "(;GM[2]C[" + "x" * 100_000 + "])"
    assert not list(sgf.read([game * 12], found.append))
    assert [each.reason for each in found] == ["GM[2] is not Go, which is GM[1]"] * 12
    assert not list(sgf.read(["(;GM[2]C[" + "x" * 1_000_000 + "])" * 2], found.append))
    assert found[-1].reason == "the game is longer than 1,000,000 characters"


def test_rectangles_of_points_are_read_from_any_corner() -> None:
    texts = [f"(;SZ[9]AB[{points}]RE[0])" for points in ("bb:dc", "dc:bb", "bc:db", "db:bc")]
    assert {record.start for record in sgf.read(texts)} == {"9/1xxx5/1xxx5/9/9/9/9/9/9 w"}
