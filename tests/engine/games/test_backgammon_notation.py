# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves and positions of backgammon in the notation of GNU Backgammon."""

import random

import gnubg_nn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Position
from engine.games import find
from engine.games.backgammon.board import BAR, sides
from engine.games.backgammon.drawing import COLUMNS

GAME, CUBE = find("backgammon"), find("backgammon/cube")
START = "4HPwATDgc/ABMA"

seeds = st.integers(0, 2**32)


def rolled(text: str) -> Position:
    """Return the initial position after the opening roll."""
    start = GAME.look(GAME.start())
    return GAME.play(start, GAME.parse_move(start, text))


def random_position(game_name: str, seed: int) -> Position:
    """Return a position of a random game."""
    game, chance = find(game_name), random.Random(seed)
    position = game.look(game.start())
    for _ in range(chance.randrange(150)):
        if position.over:
            break
        position = game.play(position, chance.choice(position.moves))
    return position


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize(
    "text",
    [
        "8/5 6/5",
        "6/5 8/5",
        "6-5 8-5",
        "31: 8/5 6/5",
        "(3,1): 8/5, 6/5".replace(",", " ").replace("(3 1)", "(3-1)").replace("  ", " "),
        "  8/5   6/5 ",
    ],
)
def test_spellings_of_a_turn_are_read(text: str) -> None:
    position = rolled("31")
    assert GAME.format_move(position.state, GAME.parse_move(position, text)) == "8/5 6/5"


def test_steps_of_a_man_are_read_apart_and_joined() -> None:
    position = rolled("65")
    moves = {GAME.parse_move(position, text) for text in ("24/13", "24/18 18/13", "24/18/13", "24/13 ")}
    assert len(moves) == 1


@pytest.mark.parametrize(
    "text", ["", "8/5", "8/5 8/5", "9/6 6/5", "5/8 6/5", "26/20", "8/5*/4 (9)", "bar/5", "x" * 5000]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        GAME.parse_move(rolled("31"), text)


def test_doubles_hits_the_bar_and_bearing_off_are_written_like_gnu_backgammon() -> None:
    written = {
        # bar, a hit on the way, four times
        "4DP4ASLgM/iABQ:cIkJAAAAAAAA": "6/4*/1*",
        "4HPwATDgc/ABMA:MAEbAAAAAAAA": "24/18(2) 13/7(2)",
    }
    for text, move in written.items():
        position = GAME.look(GAME.parse_position(text))
        assert move in GAME.move_texts(position)


def test_hits_need_no_star_where_the_way_is_clear() -> None:
    position = GAME.look(GAME.parse_position("4DP4ASLgM/iABQ:cIkJAAAAAAAA"))
    for text, move in (("6/4 4/1", "6/4*/1*"), ("6/4*/1", "6/4*/1*"), ("6/3/1", "6/1*"), ("21/18 6/4", "21/18 6/4*")):
        assert GAME.format_move(position.state, GAME.parse_move(position, text)) == move
    with pytest.raises(ValueError, match="not a legal move"):
        GAME.parse_move(position, "13/8*")


@given(seed=seeds)
def test_every_turn_is_read_with_its_steps_apart_in_any_order(seed: int) -> None:
    position = random_position("backgammon", seed)
    chance = random.Random(seed)
    for move in position.moves[:20] if position.to_move in (0, 1) else ():
        squares = GAME.squares(position.state, move)
        assert len(squares) % 2 == 0
        text = GAME.format_move(position.state, move)
        words = text.split()
        chance.shuffle(words)
        assert GAME.parse_move(position, " ".join(words)) == move
        if "(" not in text:
            assert GAME.parse_move(position, text.upper()) == move


# ---------------------------------------------------------------- positions


def test_the_start_is_gnu_backgammons() -> None:
    assert GAME.format_position(GAME.start()) == START
    assert GAME.format_position(rolled("31").state) == "4HPwATDgc/ABMA:MIEFAAAAAAAA"
    # seat 1 is GNU Backgammon's player 1, whose ID is this
    assert GAME.look(GAME.parse_position("4HPwATDgc/ABMA:cAkAAAAAAAAA")).state.seat == 1


@given(seed=seeds)
def test_position_ids_are_those_of_gnu_backgammon(seed: int) -> None:
    position = random_position("backgammon", seed)
    if position.state.seat in (0, 1):
        men = sides(position.state)
        seat = position.state.seat
        identifier = GAME.format_position(position.state).split(":")[0]
        assert gnubg_nn.position_id([men[1 - seat][1:], men[seat][1:]]) == identifier
        assert [list(each) for each in gnubg_nn.board_from_position_id(identifier)] == [
            men[1 - seat][1:],
            men[seat][1:],
        ]


@given(seed=seeds, name=st.sampled_from(["backgammon", "backgammon/cube"]))
def test_positions_read_back(seed: int, name: str) -> None:
    position, game = random_position(name, seed), find(name)
    assert game.look(game.parse_position(game.format_position(position.state))).state == position.state


@given(text=st.text(max_size=40) | st.from_regex(r"[A-Za-z0-9+/]{14}(:[A-Za-z0-9+/]{12})?( roll)?", fullmatch=True))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for game in (GAME, CUBE):
        try:
            state = game.parse_position(text)
        except ValueError:
            continue
        assert game.parse_position(game.format_position(state)) == state
        position = game.look(state)
        assert position.over or position.moves


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a position"),
        ("4HPwATDgc/ABMA:", "not a position"),
        ("//////////////", "more points|men"),
        ("AAAAAAAAAAAAAA", "both players"),
        ("4HPwATDgc/ABMA:MAEHAAAAAAAA roll", "only written before a roll"),
        ("4HPwATDgc/ABMA roll", "follows a match ID"),
        ("4HPwATDgc/ABMA:UQkAAAAAAAAA", "has no cube"),
        ("4HPwATDgc/ABMA:cAngAAAAAAAA", "dice|match"),
        ("x" * 100_000, "not a position"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.parse_position(text)


def test_sixteen_men_are_refused() -> None:
    board = [[0] * 25, [0] * 25]
    board[0][5], board[1][7] = 15, 16
    with pytest.raises(ValueError, match=r"has 16 men|more points"):
        GAME.parse_position(gnubg_nn.position_id(board))


# ---------------------------------------------------------------- the board


def test_the_diagram_has_the_points_as_seat_0_sees_them() -> None:
    diagram = GAME.diagram(GAME.start())
    assert len(diagram) == 2 * COLUMNS
    # points 13 and 12 at the left, 24 and 1 at the right, seat 0 in capitals
    assert (diagram[0], diagram[14], diagram[12], diagram[26]) == ("E", "e", "B", "b")
    assert GAME.board.texts[0] == "13"
    assert GAME.board.texts[26] == "1"


def test_men_on_the_bar_stand_where_they_enter() -> None:
    for seat, square in ((0, 6), (1, 20)):
        text = "4DP4ASLgM/iABQ"
        assert len(GAME.diagram(GAME.parse_position(text))) == 28
        position = next(
            position
            for number in range(500)
            if (position := random_position("backgammon", number)).state.seat == seat
            and position.state.roll
            and sides(position.state)[seat][BAR]
            and GAME.move_texts(position).keys() != {"pass"}
        )
        assert GAME.diagram(position.state)[square] in ("ABCDEFGHIJKLMNO", "abcdefghijklmno")[seat]
        assert GAME.squares(position.state, position.moves[0])[0] == square
