# SPDX-License-Identifier: GPL-3.0-or-later
"""Nim compared with Grundy's theory and with plain lists of heaps."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import Evaluation
from engine.games import find, nim
from engine.search import Limits, Searcher, Switch

GAME = find("nim")
LOST = {1, 2, 4, 7, 10, 20, 23, 26, 50, 53}
"""Piles that the mover loses, up to 60 (the start of a known sequence)."""


@cache
def grundy_number(heap: int) -> int:
    """The least number that no move leads to (Sprague and Grundy)."""
    reached = {grundy_number(part) ^ grundy_number(heap - part) for part in range(1, (heap + 1) // 2)}
    return next(number for number in range(heap) if number not in reached)


heaps = st.lists(st.integers(1, 20), min_size=1, max_size=15).filter(lambda found: sum(found) <= nim.LARGEST)


def text_of(found: list[int]) -> str:
    return "+".join(map(str, sorted(found)))


def test_grundy_numbers_give_the_known_lost_heaps() -> None:
    assert {heap for heap in range(1, 61) if not grundy_number(heap)} == LOST


def test_a_full_search_finds_the_lost_heaps() -> None:
    outcome = Evaluation("outcome", (0,), win=1, sooner=0)
    searcher = Searcher(GAME, evaluation=outcome, switches=Switch.CUTS | Switch.TABLE, table_bits=20)
    for pile in [*range(3, 40), 50, 53]:
        searched = searcher.search(nim.Nim(pile, 0), Limits(depth=60))
        assert searched.value == (-1 if pile in LOST else 1), pile


@settings(max_examples=100, deadline=None)
@given(found=heaps)
def test_moves_are_splits_into_two_unequal_heaps(found: list[int]) -> None:
    position = GAME.look(GAME.parse_position(text_of(found)))
    expected = {}
    for heap in found:
        for part in range(1, heap):
            if part < heap - part:
                rest = list(found)
                rest.remove(heap)
                expected[f"{heap}={part}+{heap - part}"] = text_of([*rest, part, heap - part])
    texts = GAME.move_texts(position)
    assert set(texts) == set(expected)
    assert position.over == (not expected)
    assert position.to_move == (len(found) - 1) % 2
    for text, move in texts.items():
        assert GAME.format_position(GAME.play(position, move).state) == expected[text]


@settings(max_examples=50, deadline=None)
@given(found=heaps, seed=st.integers())
def test_the_order_of_heaps_does_not_matter(found: list[int], seed: int) -> None:
    shuffled = random.Random(seed).sample(found, len(found))
    first, second = (GAME.look(GAME.parse_position("+".join(map(str, order)))) for order in (found, shuffled))
    assert first == second


def test_the_player_who_cannot_move_loses() -> None:
    assert GAME.look(GAME.parse_position("2")).payoffs == (-1.0, 1.0)
    assert GAME.look(GAME.parse_position("1+2")).payoffs == (1.0, -1.0)


def test_each_size_of_the_first_heap_is_a_variant() -> None:
    assert GAME.format_position(find("nim/30").start()) == "30"
    assert find("nim/30").board.columns == 30
    for name in ("nim/0", "nim/030", "nim/64", "nim/x", "nim/-1"):
        with pytest.raises(KeyError, match="no game"):
            find(name)


@pytest.mark.parametrize(
    ("text", "complaint"), [("", "not a position"), ("5+", "not a position"), ("60+5", "at most 63 tokens")]
)
def test_invalid_positions_are_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAME.parse_position(text)


def test_a_move_may_name_its_parts_in_either_order() -> None:
    position = GAME.look(GAME.start())
    assert GAME.parse_move(position, "20 = 13 + 7") == GAME.parse_move(position, "20=7+13")


def test_heaps_are_drawn_up_to_the_width_of_the_board() -> None:
    game = find("nim/5")
    assert game.diagram(game.parse_position("1+4")) == "oooo." + "o...." + "....." * 2
    assert game.diagram(game.parse_position("9")) == "ooooo" + "....." * 3
