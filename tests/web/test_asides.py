# SPDX-License-Identifier: GPL-3.0-or-later
"""What positions show besides their diagrams: numbers of both sides, dice and the doubling cube."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.watching import Aside, Decision, Ending
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.watching.diagrams import aside_of, draw_part
from engine.drawing import Board, Piece
from engine.games import find
from engine.match.events import Moved
from engine.viewpoint import Viewpoint
from web.api.games import BoardAnswer, PieceAnswer, describe
from web.application import STATIC
from web.assets import read_assets
from web.drawing import draw_board, draw_mark, read_shapes
from web.wording import how

MEN = 15
EMPTY = "." * 28
SHAPES = read_shapes(read_assets(STATIC))


def points() -> BoardAnswer:
    """Return a board of points with stacks of both sides."""
    pieces = {
        chr(ord(first) + count - 1): Piece(f"{tone} man", "man", seat, count=count)
        for seat, (first, tone) in enumerate((("A", "dark"), ("a", "light")))
        for count in range(1, MEN + 1)
    }
    board = Board(2, 14, "points", pieces)
    answers = {
        letter: PieceAnswer(
            name=each.name, shape=each.shape, seat=each.seat, tone=each.shade, count=each.count, mark=""
        )
        for letter, each in pieces.items()
    }
    return BoardAnswer(
        rows=2,
        columns=14,
        style="points",
        pieces=answers,
        labels=list(board.texts),
        bottom=0,
        dots=[],
        counted="",
        counted_one="",
    )


def drawn(diagram: str, aside: Aside | None = None) -> str:
    """Return the board with a diagram."""
    return str(draw_board(SHAPES, points(), diagram, aside=aside))


def test_points_have_the_numbers_of_the_view_of_seat_0() -> None:
    labels = points().labels
    assert labels[:14] == [*map(str, range(13, 19)), "", *map(str, range(19, 25)), ""]
    assert labels[14:] == [*map(str, range(12, 6, -1)), "", *map(str, range(6, 0, -1)), ""]


@given(square=st.integers(0, 27), count=st.integers(1, MEN))
def test_a_stack_is_drawn_within_its_square_with_its_number(square: int, count: int) -> None:
    letter = chr(ord("a") + count - 1)
    text = drawn(EMPTY[:square] + letter + EMPTY[square + 1 :])
    tray = square % 14 == 13
    assert text.count('<circle class="body"') == (0 if tray else min(count, 5))
    numbers = re.findall(r'class="pip number"[^>]*>(\d+)<', text)
    assert numbers == ([] if tray or count <= 5 else [str(count)])
    place = re.search(r'data-square="(\d+)" transform="translate\((\d+) (\d+)\)"', text)
    assert place is not None
    assert (int(place[1]), int(place[2])) == (square, square % 14 * 100 + 50)
    assert 0 < int(place[3]) - 560 * (square // 14) < 560


def test_dice_lie_in_the_half_of_the_seat_that_rolled_and_the_cube_beside_its_owner() -> None:
    own, other = (drawn(EMPTY, Aside(dice=[6, 5], roller=seat, cube=4, owner=seat)) for seat in (0, 1))
    for text, tone, half, held in ((own, "dark", (700, 1300), 1070), (other, "light", (0, 600), 50)):
        dice = re.findall(r'class="die" transform="translate\((\d+) 560\)"><g class="piece tone-(\w+)">', text)
        assert [each for _, each in dice] == [tone, tone]
        assert all(half[0] < int(x) < half[1] for x, _ in dice)
        assert text.count('class="pip" ') == 6 + 5
        assert f'class="cube tone-light" transform="translate(650 {held})"' in text
    assert not draw_mark(SHAPES, points(), 0, 6)
    centred = drawn(EMPTY, Aside(cube=1))
    assert 'translate(650 560)"' in centred
    assert ">64<" in centred


@pytest.mark.parametrize(
    ("moves", "counts", "words"),
    [
        # one black stone: all is Black's, but the komi
        (["E5", "pass", "pass"], (81.0, 7.0), "by 74 points"),
        # ways from the empty points lead to both colours
        (["E5", "D4", "pass", "pass"], (1.0, 8.0), "by 7 points"),
        (["E5", "D4", "pass"], None, ""),
    ],
)
def test_go_tells_the_points_once_the_game_is_over(
    moves: list[str], counts: tuple[float, float] | None, words: str
) -> None:
    go = find("go/9x9")
    part = draw_part(Viewpoint.full(go), None, (), [Moved(ply, 0, move) for ply, move in enumerate(moves, 1)], 0, 100)
    assert part.aside == Aside(counts)
    assert [move.aside for move in part.moves[:-1]] == [Aside()] * (len(moves) - 1)
    board = describe(GameRegistry(Settings()), go).board
    assert board.counted == "points"
    if counts:
        assert how(Ending("1-0", "decided", decision=part.decision)) == words


def test_a_die_lies_beside_the_name_where_the_board_does_not_show_it() -> None:
    einstein = find("einstein")
    rolled = einstein.play(einstein.look(einstein.start()), 5)
    aside = aside_of(Viewpoint.full(einstein), rolled.state)
    assert aside == Aside(dice=[5])
    moved = einstein.play(rolled, rolled.moves[0])
    assert aside_of(Viewpoint.full(einstein), moved.state) == Aside()
    assert aside_of(Viewpoint.full(einstein), einstein.play(moved, 2).state) == Aside(dice=[2], roller=1)
    die = str(draw_mark(SHAPES, describe(GameRegistry(Settings()), einstein).board, 1, 2))
    assert 'aria-label="2"' in die
    assert "tone-light" in die


def test_othello_counts_discs_and_games_without_numbers_show_nothing() -> None:
    othello = find("othello")
    assert aside_of(Viewpoint.full(othello), othello.start()) == Aside((2, 2))
    assert aside_of(Viewpoint.full(find("tictactoe")), find("tictactoe").start()) is None


def test_a_table_of_cards_shows_ranks_chips_and_the_moves_of_the_hand() -> None:
    leduc = find("leduc")
    state = leduc.parse_position("5/100 -3 JKQ crc/r KQ-:rf")
    board = describe(GameRegistry(Settings()), leduc).board
    assert (board.counted, board.labels) == ("chips", [])
    seen = Viewpoint.of(leduc, 0)
    aside = aside_of(seen, state)
    assert aside == Aside((-3.0, 3.0), bets=(7.0, 3.0), history="check, bet, call | bet")
    text = str(draw_board(SHAPES, board, seen.diagram(state), aside=aside))
    assert re.findall(r'class="rank"[^>]*>(.)<', text) == ["Q", "J"]
    assert "tone-red" in text
    assert re.findall(r'class="bet"[^>]*>(\d+)<', text) == ["7", "3"]
    assert ">check, bet, call | bet<" in text
    public = Viewpoint.of(leduc, None)
    assert re.findall(r'class="rank"[^>]*>(.)<', str(draw_board(SHAPES, board, public.diagram(state)))) == ["Q"]


def test_cards_of_a_row_are_in_its_middle() -> None:
    pieces = {
        letter: PieceAnswer(name=suit, shape=suit, seat=None, tone="dark", count=1, mark="10")
        for letter, suit in zip("shdc", ("spade", "heart", "diamond", "club"), strict=True)
    }
    board = BoardAnswer(
        rows=3, columns=6, style="cards", pieces=pieces, labels=[], bottom=0, dots=[], counted="", counted_one=""
    )
    text = str(draw_board(SHAPES, board, "shdc........h.....", decision=Decision(won=[0])))
    assert 'viewBox="-30 -30 660 420"' in text
    assert re.findall(r'data-square="(\d+)" transform="translate\((\d+) (\d+)\)"', text) == [
        ("0", "150", "56"),
        ("1", "250", "56"),
        ("2", "350", "56"),
        ("3", "450", "56"),
        ("12", "300", "280"),
    ]
    assert '<rect class="won" x="104" y="3" width="92" height="106" rx="14">' in text
