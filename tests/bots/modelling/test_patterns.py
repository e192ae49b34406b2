# SPDX-License-Identifier: GPL-3.0-or-later
"""The recursive convolution, on boards whose sums were computed by hand, and the patterns it finds."""

import numpy as np
import pytest

from bots.modelling.board import Cells, spread_out, stand, trace
from bots.modelling.chunks import Chunks
from bots.modelling.file import items, men
from bots.modelling.patterns import CELLS, TEMPLATES, Collector, sums
from engine.games import find

CHESS, CHECKERS = TEMPLATES["chess"], TEMPLATES["checkers"]


def board(*names: str) -> Cells:
    """The men of a side, as "Kg1"."""
    cells = np.zeros(CELLS, np.int8)
    for name in names:
        (item,) = items(CHESS, [name])
        cells[item % CELLS] = item // CELLS
    return cells


def cell(name: str) -> int:
    return items(CHESS, ["P" + name])[0] % CELLS


# each man that is reached has its template laid on once: both cells get the weight of the neighbour
BY_HAND = {
    # a1's east is 32, b1's west is 2: 34 each
    "two pawns beside each other": (("Pa1", "Pb1"), "a1", {"a1": 34, "b1": 34}),
    # the rook sees nothing on its diagonal, so nothing is reached
    "a rook and a pawn before it, aslant": (("Ra1", "Pb2"), "a1", {"a1": 0}),
    # from the pawn: a1 is behind it, aslant, which a pawn does not defend
    "the same from the pawn": (("Ra1", "Pb2"), "b2", {"b2": 0}),
    # the bishop defends b2 (16, north-east), the pawn does not look back
    "a bishop behind a pawn, aslant": (("Ba1", "Pb2"), "a1", {"a1": 16, "b2": 16}),
    # the pawn on a1 defends b2 (16); the one on b2 does not see a1 (0 to the south-west)
    "a chain of pawns": (("Pa1", "Pb2", "Pc3"), "a1", {"a1": 16, "b2": 32, "c3": 16}),
    "the same from its head": (("Pa1", "Pb2", "Pc3"), "c3", {"c3": 0}),
    # king g1: pawns f2 (4), g2 (8), h2 (16), rook f1 (2). Pawns f2-g2 and g2-h2: 32 + 2 = 34 a pair; f2 sees the rook
    # behind it (128), which sees f2 before it (8) and the king to its east (32); g2 sees the king behind it (128)
    "a castled king": (
        ("Kg1", "Rf1", "Pf2", "Pg2", "Ph2"),
        "g1",
        {
            "g1": 4 + 8 + 16 + 2 + 32 + 128,
            "f1": 2 + 128 + 8 + 32,
            "f2": 4 + 34 + 128 + 8,
            "g2": 8 + 34 + 34 + 128,
            "h2": 16 + 34,
        },
    ),
    # knights look along lines only: the one on b1 sees c1 (32) and b2 (8); the bishop on c1 sees b1 (2) and b2 (4);
    # the pawn on b2 sees b1 behind it (128)
    "a knight, a bishop and a pawn": (
        ("Nb1", "Bc1", "Pb2"),
        "b1",
        {"b1": 32 + 8 + 2 + 128, "c1": 32 + 2 + 4, "b2": 8 + 4 + 128},
    ),
}


@pytest.mark.parametrize(("names", "start", "expected"), BY_HAND.values(), ids=BY_HAND.keys())
def test_sums_are_those_computed_by_hand(names: tuple[str, ...], start: str, expected: dict[str, int]) -> None:
    assert sums(CHESS, board(*names), cell(start)) == {cell(name): total for name, total in expected.items()}


def test_sums_of_checkers() -> None:
    # on the dark cells men touch at corners: b2's neighbours a3 (4), c3 (16), a1 (1), c1 (64), and theirs back
    cells = np.zeros(CELLS, np.int8)
    for name in ("b2", "c3", "a1", "d2"):
        cells[cell(name)] = 1
    assert sums(CHECKERS, cells, cell("b2")) == {
        cell("b2"): 16 + 1 + 1 + 16,
        cell("c3"): 16 + 1 + 64 + 4,
        cell("a1"): 1 + 16,
        cell("d2"): 64 + 4,
    }


def patterns(before: Cells, after: Cells) -> dict[int, list[str]]:
    return {number: men(CHESS, found) for number, found in Collector(CHESS).patterns(before, after)}


def test_patterns_lie_in_windows_of_four_cells() -> None:
    row = [f"P{file}2" for file in "abcdefgh"]
    found = list(patterns(board(*row[:-1]), board(*row)).values())
    # around h2 there is one place for a window to stand along the row; its mirror image may be kept instead
    assert found in ([["Pe2", "Pf2", "Pg2", "Ph2"]], [["Pa2", "Pb2", "Pc2", "Pd2"]])
    middle = patterns(board(*row[:3], *row[4:]), board(*row))
    # of the four windows along the row two are mirror images of each other
    assert sorted(map(len, middle.values())) == [4, 4, 4]


def test_a_man_alone_is_no_pattern() -> None:
    assert patterns(board("Pa2"), board("Pa4")) == {}


def test_mirror_images_are_one_chunk() -> None:
    right = patterns(board("Pf2", "Ph2"), board("Pf2", "Pg2", "Ph2"))
    left = patterns(board("Pa2", "Pc2"), board("Pa2", "Pb2", "Pc2"))
    assert right == left
    assert right != patterns(board("Pa3", "Pc3"), board("Pa3", "Pb3", "Pc3"))


def test_mirrored_games_give_the_same_chunks() -> None:
    game = find("chess")
    mirror = str.maketrans("abcdefgh", "hgfedcba")
    moves = ["g2g3", "g7g6", "f1g2", "f8g7", "b1c3", "b8c6", "d2d3", "d7d6", "a1b1", "a8b8"]
    # kings and queens are mirrored too, so nobody may castle
    starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1",
    ]
    numbers = []
    for start, line in zip(starts, (moves, [move.translate(mirror) for move in moves]), strict=True):
        position = game.look(game.parse_position(start))
        found: set[int] = set()
        for text in line:
            move = game.parse_move(position, text)
            before, after = np.zeros((2, CELLS), np.int8)
            trace(position.state, move, before, after)
            found |= patterns(before, after).keys()
            position = game.play(position, move)
        numbers.append(found)
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) > 10


def test_the_number_of_a_chunk_is_that_of_its_men() -> None:
    chunks = Chunks(CHESS)
    for number, names in patterns(board("Pf2", "Ph2"), board("Pf2", "Pg2", "Ph2", "Kg1")).items():
        assert chunks.number(items(CHESS, names)) == number


@pytest.mark.parametrize("name", TEMPLATES)
def test_both_sides_see_their_men_alike(name: str) -> None:
    game = find(name)
    own, other = np.zeros((2, CELLS), np.int8)
    stand(game.start(), own, other)
    # in chess files stay where they are, in checkers the board is turned
    assert np.array_equal(own, other)
    assert own[:32].any()
    assert not own[32:].any()


@pytest.mark.parametrize("name", TEMPLATES)
def test_men_are_those_of_the_diagram(name: str) -> None:
    game, templates = find(name), TEMPLATES[name]
    position = game.look(game.start())
    for ply in range(60):
        own, other = np.zeros((2, CELLS), np.int8)
        stand(position.state, own, other)
        diagram = game.diagram(position.state)
        for side, cells in enumerate((own, other)):
            second = (position.to_move ^ side) == 1
            letters = templates.letters.swapcase() if second else templates.letters
            if name == "checkers":
                letters = "wW" if second else "bB"
            for place in range(CELLS):
                if cells[place]:
                    # diagrams begin at the top: chess has white below, checkers black above
                    shown = (place ^ 56) if name == "chess" else place
                    if second:
                        shown = place if name == "chess" else 63 - place
                    assert diagram[shown] == letters[cells[place] - 1]
        assert sum(np.count_nonzero(side) for side in (own, other)) == sum(letter != "." for letter in diagram)
        if position.over:
            break
        position = game.play(position, position.moves[(7 * ply) % len(position.moves)])


@pytest.mark.parametrize("name", TEMPLATES)
def test_moves_are_shown_as_the_rules_make_them(name: str) -> None:
    game = find(name)
    position = game.look(game.start())
    moves, after = np.empty(game.width, np.int64), np.zeros((game.width, CELLS), np.int8)
    before, one, two = np.zeros((3, CELLS), np.int8)
    count = spread_out(position.state, moves, before, after)
    assert tuple(moves[:count].tolist()) == position.moves
    for row, move in enumerate(position.moves):
        trace(position.state, move, one, two)
        assert np.array_equal(one, before)
        assert np.array_equal(two, after[row])
