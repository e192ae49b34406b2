# SPDX-License-Identifier: GPL-3.0-or-later
"""Both variants of checkers compared with a slow implementation and with pydraughts."""

import random
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import draughts
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, count_moves, features
from engine.games import checkers, find
from engine.hints.alphabeta import gain
from engine.kernel import compiled
from tests.engine.games import draughts_oracle as book

ENGLISH, LECTURE = find("checkers"), find("checkers/lecture")
COLLECTION = Path(__file__).parents[4] / "shared" / "data" / "tinsley.pdn"

both = pytest.mark.parametrize("game", [ENGLISH, LECTURE], ids=lambda game: game.name)


@compiled
def seen(state: Any) -> Any:
    return features(state)


@compiled
def counted(state: Any, out: Any) -> int:
    return count_moves(state, out)


@compiled
def points(state: Any, move: int) -> int:
    return gain(state, move)


def crowded(seed: int) -> str:
    """Any men and kings on any squares, up to twelve a side: often there is much to jump."""
    chance = random.Random(seed)
    squares = chance.sample(range(1, 33), 32)
    black, white = chance.randint(0, 12), chance.randint(0, 12)
    crowns = chance.choice((0.1, 0.5, 1.0))
    pieces: dict[book.Square, str] = {}
    for number in squares[: black + white]:
        letter, last = ("b", number >= 29) if len(pieces) < black else ("w", number <= 4)
        pieces[book.square(number)] = letter.upper() if last or chance.random() < crowns else letter
    return book.write(book.Draughts(pieces, chance.choice("bw")))


positions = st.integers(0, 2**32).map(crowded)


# ---------------------------------------------------------------- rules


@both
@settings(max_examples=200, deadline=None)
@given(text=positions)
def test_moves_agree_with_a_slow_implementation(game: Game, text: str) -> None:
    expected = book.moves(book.read(text), lecture=game is LECTURE)
    position = game.look(game.parse_position(text))
    texts = game.move_texts(position)
    assert set(texts) == set(expected)
    assert position.over == (not expected)
    assert counted(position.state, np.empty(game.width, np.int64)) == len(expected)
    for move_text, move in texts.items():
        assert game.format_position(game.play(position, move).state) == book.write(expected[move_text])


@both
@pytest.mark.parametrize("seed", range(6))
def test_random_games_agree_with_a_slow_implementation(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    position, by_book = game.look(game.start()), book.read(game.format_position(game.start()))
    for _ in range(80):
        expected = book.moves(by_book, lecture=game is LECTURE)
        texts = game.move_texts(position)
        assert set(texts) == set(expected)
        if not texts:
            break
        text = chance.choice(list(texts))
        position, by_book = game.play(position, texts[text]), expected[text]
        assert game.format_position(position.state) == book.write(by_book)


@settings(max_examples=25, deadline=None)
@given(text=positions)
def test_moves_agree_with_pydraughts(text: str) -> None:
    position = ENGLISH.look(ENGLISH.parse_position(text))
    other = draughts.Board(variant="english", fen=text)
    ours = sorted((text.split("x")[0], text.split("x")[-1]) for text in map(hyphens, ENGLISH.move_texts(position)))
    moves = [hyphens(move.pdn_move) for move in other.legal_moves()]
    assert ours == sorted((move.split("x")[0], move.split("x")[-1]) for move in moves)


def hyphens(text: str) -> str:
    return text.replace("-", "x")


def test_a_capturing_king_may_return_to_its_first_square() -> None:
    round_trip = ENGLISH.look(ENGLISH.parse_position("B:W6,7,14,15:BK2"))
    texts = ENGLISH.move_texts(round_trip)
    assert {"2x9x18x11x2", "2x11x18x9x2"} == set(texts)
    assert len(set(round_trip.moves)) == 2
    for move in round_trip.moves:
        after = ENGLISH.play(round_trip, move)
        assert ENGLISH.format_position(after.state) == "W:W:BK2"
        assert after.over
        assert after.payoffs == (1.0, -1.0)


def test_promotion_ends_a_capture() -> None:
    position = ENGLISH.look(ENGLISH.parse_position("B:W26,27:B22"))
    assert set(ENGLISH.move_texts(position)) == {"22x31"}
    assert "K31" in ENGLISH.format_position(ENGLISH.play(position, position.moves[0]).state)


def test_captures_are_optional_in_the_lecture_variant() -> None:
    text = "B:W7,14:B2,3"
    english, lecture = (set(game.move_texts(game.look(game.parse_position(text)))) for game in (ENGLISH, LECTURE))
    assert english == {"2x11", "3x10x17"}
    assert lecture == {"2x11", "3x10", "3x10x17", "2-6", "3-8"}


def jump_sequences() -> tuple[int, int]:
    """The most whole jump sequences, and sequences with their beginnings, of any king among any enemies."""
    ways = {}
    for (row, column), number in book.NUMBERS.items():
        for right in (-2, 2):
            target = (row + 2, column + right)
            if target in book.NUMBERS:
                ways[frozenset([(row, column), target])] = number
    most = (0, 0)
    for start in book.NUMBERS:
        # a king only meets the squares that jumps connect with its own
        component, grown = {start}, True
        while grown:
            near = {square for way in ways if way & component for square in way}
            grown, component = not near <= component, component | near
        edges = [way for way in ways if way <= component]
        for size in range(len(edges) + 1):
            for chosen in combinations(edges, size):
                most = tuple(map(max, most, walks(start, frozenset(chosen))))  # type: ignore[assignment]  # two of two
    return most


def walks(at: book.Square, ways: frozenset[frozenset[book.Square]]) -> tuple[int, int]:
    whole, all_of_them = 0, 0
    for way in ways:
        if at in way:
            (target,) = way - {at}
            further, longer = walks(target, ways - {way})
            whole += further
            all_of_them += longer + 1
    return whole or 1, all_of_them


def test_no_position_has_more_moves_than_the_buffers_hold() -> None:
    assert jump_sequences() == (checkers.WHOLE, checkers.ALL)


# ---------------------------------------------------------------- notation


@both
def test_the_start_is_written_in_pdn(game: Game) -> None:
    white, black = (",".join(map(str, numbers)) for numbers in (range(21, 33), range(1, 13)))
    assert game.format_position(game.start()) == f"B:W{white}:B{black}"


@both
@settings(max_examples=50, deadline=None)
@given(text=positions)
def test_positions_are_unchanged_after_write_and_read(game: Game, text: str) -> None:
    assert game.format_position(game.parse_position(text)) == text
    sides = text.split(":")
    assert game.format_position(game.parse_position(f" {sides[0]}:{sides[2]}:{sides[1]}. ")) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a position"),
        ("B:W1", "not a position"),
        ("B:W24:W3", "not a position"),
        ("R:W24:B3", "not a position"),
        ("B:W24,:B3", "not a position"),
        ("B:W33:B3", "no square 33"),
        ("B:WK0:B3", "no square 0"),
        ("B:W9:B9", "occupied twice"),
        ("B:W9,9:B3", "occupied twice"),
        ("B:W9:B29", "black man on the last row"),
        ("B:W4:B9", "white man on the last row"),
        ("B:W" + ",".join(map(str, range(13, 26))) + ":B1", "at most 12"),
    ],
)
def test_invalid_positions_are_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ENGLISH.parse_position(text)


def test_spellings_of_old_collections_are_read() -> None:
    start = ENGLISH.look(ENGLISH.start())
    assert (
        ENGLISH.parse_move(start, "11x15") == ENGLISH.parse_move(start, "11-15") == ENGLISH.parse_move(start, " 11-15 ")
    )


def test_a_move_touches_the_squares_it_names() -> None:
    position = ENGLISH.look(ENGLISH.parse_position("B:W7,14:B3"))
    assert ENGLISH.squares(position.state, position.moves[0]) == (5, 19, 33)
    labels = [ENGLISH.board.texts[place] for place in ENGLISH.squares(position.state, position.moves[0])]
    assert "x".join(labels) == ENGLISH.format_move(position.state, position.moves[0]) == "3x10x17"


def test_intermediate_squares_may_be_omitted_if_unambiguous() -> None:
    clear = ENGLISH.look(ENGLISH.parse_position("B:W7,14:B3"))
    assert ENGLISH.parse_move(clear, "3x17") == ENGLISH.parse_move(clear, "3-10-17") == clear.moves[0]
    unclear = ENGLISH.look(ENGLISH.parse_position("B:W6,7,14,15:BK2"))
    with pytest.raises(ValueError, match="write every square"):
        ENGLISH.parse_move(unclear, "2x2")
    prefix = LECTURE.look(LECTURE.parse_position("B:W7,14:B3"))
    assert LECTURE.format_move(prefix.state, LECTURE.parse_move(prefix, "3-10")) == "3x10"


@pytest.mark.skipif(not COLLECTION.exists(), reason="the collection of games is no part of the project")
def test_the_games_of_a_world_champion_are_legal() -> None:
    played = 0
    games = COLLECTION.read_text(encoding="latin-1").split("[Event ")
    for game in games[1::8]:
        position = ENGLISH.look(ENGLISH.start())
        for text in re.findall(
            r"(?<!\S)\d+(?:[-x]\d+)+(?!\S)", re.sub(r"\b(1-0|0-1)\s*$", "", game.rpartition("]")[2])
        ):
            position = ENGLISH.play(position, ENGLISH.parse_move(position, text))
            played += 1
    assert played > 3000


# ---------------------------------------------------------------- what is weighed


def test_features_agree_with_a_hand_count() -> None:
    state = ENGLISH.parse_position("B:W22,23,K10,K32:B12,20,1,K14,K19,K31")
    men = 3 - 2
    kings, central = 3 - 2, 2 - 1
    advance = (1 + 2 + 0) - (1 + 1)
    assert seen(state) == (men, kings, central, advance)
    assert seen(state._replace(own=state.enemy, enemy=state.own, turn=np.uint64(1))) == (
        -men,
        -kings,
        -central,
        -advance,
    )


@settings(max_examples=100, deadline=None)
@given(text=positions)
def test_features_of_the_sides_are_opposite(text: str) -> None:
    state = ENGLISH.parse_position(text)
    turned = "".join("W" if letter == "B" else "B" for letter in text[0]) + text[1:]
    assert seen(ENGLISH.parse_position(turned)) == tuple(-value for value in seen(state))


@pytest.mark.parametrize(
    ("position", "text", "expected"),
    [
        ("B:W18:B11", "11-15", 0),
        ("B:W18:B14", "14x23", 100),
        ("B:WK18:B14", "14x23", 300),
        ("B:W7,14:B3", "3x10x17", 200),
        ("B:W32:B26", "26-31", 200),
        ("B:W32:BK26", "26-31", 0),
        ("B:W26:B22", "22x31", 300),
    ],
)
def test_gain_counts_captures_and_promotions(position: str, text: str, expected: int) -> None:
    looked = ENGLISH.look(ENGLISH.parse_position(position))
    assert points(looked.state, ENGLISH.parse_move(looked, text)) == expected


@pytest.mark.parametrize(
    ("position", "text", "expected"),
    [
        ("B:W18:B11", "11-15", True),
        ("B:W18:B11,K1", "1-5", False),
        ("B:W18:BK14", "14x23", True),
    ],
)
def test_only_king_moves_without_a_capture_are_reversible(position: str, text: str, expected: bool) -> None:
    looked = ENGLISH.look(ENGLISH.parse_position(position))
    assert ENGLISH.play(looked, ENGLISH.parse_move(looked, text)).irreversible is expected
