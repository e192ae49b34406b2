# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches that are told how the other side plays: what they believe, and what they do with it."""

import math
import random

import numpy as np
import pytest

from engine.game import AIMS, SLOTS, Game, Position
from engine.games import find
from engine.search import ALGORITHMS, INEXACT, Limits, Searcher, Switch
from engine.search.foresight import ANY, FACTS, WHOLE, Foresight, leaning, nothing, recalled, tell_all, told
from engine.search.margins import MARGINS
from engine.search.memory import ROOT_ROW
from engine.search.play.foreseeing import foresee
from engine.search.switches import FORESIGHT
from tests.engine.search.oracle import minimax

CHESS, CHECKERS = find("chess"), find("checkers")
PLAY = ALGORITHMS["play"].switches
EXACT = PLAY & ~INEXACT


def guess(seed: int = 1) -> Foresight:
    """Return somebody's habits."""
    rng = np.random.default_rng(seed)
    return leaning(rng.normal(size=(2, SLOTS)), rng.normal(size=(2, AIMS)), rng.normal(size=FACTS))


def positions(game: Game, count: int, plies: int = 12, seed: int = 1) -> list[Position]:
    """Return positions that random moves lead to."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.look(game.start())
        for _ in range(rng.randrange(2, plies)):
            if position.over:
                break
            position = game.play(position, rng.choice(position.moves))
        if not position.over and len(position.moves) > 1:
            found.append(position)
    return found


def signed(word: int) -> int:
    """Return 64 bits as numpy's int64 has them."""
    return int(np.array([word % 2**64], np.uint64).view(np.int64)[0])


def beliefs(game: Game, position: Position, foresight: Foresight, known: int = -1) -> list[int]:
    """Return what the frame of play believes, in thousandths."""
    searcher = Searcher(game, switches=PLAY | FORESIGHT, table_bits=4)
    searcher.foresee(foresight)
    searcher._prepare(position.moves, ())
    memory = searcher._memory
    row = int(memory.control[ROOT_ROW])
    memory.path[row, 0] = signed(position.key)
    foresee(position.state, position.to_move, 0, row, len(position.moves), known, memory)
    return [int(belief) for belief in memory.beliefs[0, : len(position.moves)]]


@pytest.mark.parametrize("game", [CHESS, CHECKERS], ids=lambda game: game.name)
def test_beliefs_are_the_logit_of_the_facts(game: Game) -> None:
    foresight = guess()
    for position in positions(game, 5):
        moves = np.array([signed(move) for move in position.moves])
        facts = np.zeros((len(moves), FACTS))
        tell_all(position.state, moves, len(moves), position.to_move, False, 1, foresight, facts)
        odds = [
            math.exp(sum(fact * weight for fact, weight in zip(row, foresight.weights, strict=True))) for row in facts
        ]
        expected = [math.floor(WHOLE * each / sum(odds)) for each in odds]
        found = beliefs(game, position, foresight, known=int(moves[1]) & 0xFFFF)
        assert all(abs(one - other) <= 1 for one, other in zip(found, expected, strict=True))


def test_what_is_told_of_a_position_is_believed() -> None:
    position, other = positions(CHESS, 2)
    moves = [(move, 1 / (2 + place)) for place, move in enumerate(position.moves[:4])]
    foresight = told(guess(), [(position.key, moves)])
    assert beliefs(CHESS, position, foresight)[:5] == [500, 333, 250, 200, 0]
    assert beliefs(CHESS, other, foresight) == beliefs(CHESS, other, guess())


def test_a_table_of_beliefs_holds_what_was_told() -> None:
    rng = random.Random(2)
    entries = {rng.getrandbits(64): {rng.getrandbits(64): rng.random() for _ in range(5)} for _ in range(300)}
    known = told(nothing(), [(key, list(moves.items())) for key, moves in entries.items()]).known
    for key, moves in entries.items():
        assert recalled(known, signed(key), ANY) == 0
        for move, belief in moves.items():
            assert recalled(known, signed(key), signed(move)) == round(belief * WHOLE)
        assert recalled(known, signed(key), 12345) == -1
    assert recalled(known, 12345, ANY) == -1


def test_beliefs_that_are_awry_are_those_of_other_moves() -> None:
    (position,) = positions(CHESS, 1)
    foresight = guess()
    straight = beliefs(CHESS, position, foresight)
    awry = beliefs(CHESS, position, foresight._replace(awry=np.ones(1, np.int64)))
    assert sorted(awry) == sorted(straight)
    assert awry != straight


def test_who_is_told_nothing_searches_as_before() -> None:
    for position in positions(CHESS, 3):
        plain = Searcher(CHESS, "play", "material", table_bits=12).search(position.state, Limits(nodes=5_000))
        stranger = Searcher(CHESS, "play", "material", switches=PLAY | FORESIGHT, table_bits=12)
        stranger.foresee(None)
        found = stranger.search(position.state, Limits(nodes=5_000))
        assert (found.value, found.pv, found.nodes) == (plain.value, plain.pv, plain.nodes)


@pytest.mark.parametrize("switch", list(FORESIGHT), ids=lambda switch: str(switch.name))
def test_each_switch_alone_finds_a_legal_line(switch: Switch) -> None:
    for game, evaluation in ((CHESS, "material"), (CHECKERS, "lecture")):
        searcher = Searcher(game, "play", evaluation, switches=PLAY | switch, table_bits=12)
        searcher.foresee(guess())
        for position in positions(game, 3):
            found = searcher.search(position.state, Limits(nodes=3_000))
            for move in found.pv:
                position = game.play(position, move)
            assert found.pv


def test_order_alone_changes_no_value() -> None:
    for game in (CHESS, CHECKERS):
        for position in positions(game, 4):
            searcher = Searcher(game, switches=EXACT | Switch.BELIEVED_FIRST, table_bits=12)
            searcher.foresee(guess())
            expected = minimax(game, searcher.evaluation, position, 3).value
            assert searcher.search(position.state, Limits(depth=3)).value == expected


def test_values_that_lean_on_beliefs_are_not_found_by_who_has_none() -> None:
    margins = MARGINS._replace(doubted=WHOLE + 1, foresight_depth=1)
    for position in positions(CHECKERS, 6, plies=20):
        searcher = Searcher(CHECKERS, switches=EXACT | Switch.DOUBTED, table_bits=12, margins=margins)
        searcher.foresee(guess())
        searcher.search(position.state, Limits(depth=5))
        searcher.foresee(None)
        expected = minimax(CHECKERS, searcher.evaluation, position, 4).value
        assert searcher.search(position.state, Limits(depth=4)).value == expected


def test_foresight_saves_positions() -> None:
    """What nobody would play is looked at less deep: the same depth in fewer positions."""
    margins = MARGINS._replace(doubted=WHOLE + 1)
    for position in positions(CHESS, 3):
        nodes = []
        for switches in (EXACT, EXACT | Switch.DOUBTED):
            searcher = Searcher(CHESS, "play", "material", switches=switches, margins=margins)
            searcher.foresee(guess())
            nodes.append(searcher.search(position.state, Limits(depth=6)).nodes)
        assert nodes[1] < nodes[0]


def test_what_a_draw_is_worth_decides_whether_to_repeat() -> None:
    state = CHESS.parse_position("6k1/5ppp/8/8/8/q7/5PPP/3Q2K1 w - - 0 1")
    position = CHESS.look(state)
    history = [position.key]
    for text in ("d1d8", "a3f8", "d8d1", "f8a3") * 2:
        position = CHESS.play(position, CHESS.parse_move(position, text))
        history.append(position.key)
    values = []
    for draw in (-3.0, 0.0, 3.0):
        searcher = Searcher(CHESS, "play", "material", switches=PLAY | FORESIGHT, table_bits=12)
        searcher.foresee(None, draw)
        # black has just moved; white stands where it stood twice before: every repetition is a draw now
        values.append(searcher.search(position.state, Limits(depth=4), history=history[:-1]).value)
    assert values[0] <= values[1] < values[2]


def test_frequencies_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="two seats"):
        leaning(np.zeros((2, 3)), np.zeros((2, AIMS)), np.zeros(FACTS))
