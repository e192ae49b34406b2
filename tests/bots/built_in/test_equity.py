# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot for hold'em: it bets with good hands, calls by pot odds, and knows only its own cards."""

import random

import numpy as np
import pytest

from bots.bot import Turn
from bots.built_in.kinds import catalogue
from bots.built_in.kinds.equity import choose, equity, opponents_bets
from bots.catalogue import make
from engine.games import find
from engine.games.holdem.hands import bit_of
from engine.games.holdem.notation import CARDS
from engine.games.holdem.rules import CALL, FOLD, RAISE
from engine.match.machine import Match


def played(game: str, position: str, seat: int) -> str:
    """Return the bot's move."""
    return make("equity").move(Turn(1, game, 3, position, seat)).move  # type: ignore[union-attr]  # it replies at once


def set_of_text(text: str) -> int:
    """Return the set of the cards of a text such as "AsKd"."""
    return sum(bit_of(CARDS.index(text[at : at + 2])) for at in range(0, len(text), 2))


@pytest.mark.parametrize(
    ("own", "board", "expected"),
    # exact values by enumeration of all deals
    [("AsAh", "", 0.8520), ("2c7d", "", 0.3458), ("AsKs", "", 0.6704), ("AsKs", "QsJsTs", 1.0)],
)
def test_the_equity_against_a_random_hand(own: str, board: str, expected: float) -> None:
    found = equity(set_of_text(own), set_of_text(board), 40_000, np.uint64(1))
    assert found == pytest.approx(expected, abs=0.01)
    assert found == equity(set_of_text(own), set_of_text(board), 40_000, np.uint64(1))


def test_it_plays_holdem() -> None:
    assert make("equity").games == ("holdem/limit", "holdem/no-limit")
    assert not catalogue()["equity"].plays("leduc")
    assert catalogue()["equity"].plays("holdem/no-limit-50bb")


@pytest.mark.parametrize(
    ("game", "position", "seat", "move"),
    [
        ("holdem/limit", "1/100 0 AsAh|???? - - -", 0, "raise"),
        ("holdem/limit", "1/100 0 ????|7c2h QsKsAs cc/ -", 1, "check"),
        ("holdem/limit", "1/100 0 2c3d|???? QsKsAs cc/r -", 0, "fold"),
        ("holdem/no-limit", "1/100 0 ????|7c2h - r40 -", 1, "fold"),
        ("holdem/no-limit", "1/100 0 ????|AcAh - r40 -", 1, "call"),
        ("holdem/no-limit", "1/100 0 ????|AcAh - r10 -", 1, "raise 40"),
        ("holdem/no-limit", "1/100 0 ????|AcKc QcJcTc cc/ -", 1, "bet 3"),
    ],
)
def test_its_moves(game: str, position: str, seat: int, move: str) -> None:
    assert played(game, position, seat) == move


def test_it_calls_by_the_pot_odds_and_respects_raises() -> None:
    game = find("holdem/limit")
    # 2 to call for a pot of 8 afterwards
    state = game.parse_position("1/100 0 AsKd|7c2h 3s4s5s cc/cr -")
    moves = game.look(state).moves
    assert opponents_bets(state) == 1
    assert choose(state, moves, 0.25 + 0.05) == FOLD
    assert choose(state, moves, 0.25 + 0.07) == CALL
    assert choose(state, moves, 0.58 + 0.07) > RAISE


def test_a_match_against_random_moves_ends_with_more_chips() -> None:
    game, bot, chance = find("holdem/limit"), make("equity"), random.Random(1)
    match = Match(game, seed=3)
    while match.ending is None:
        (seat,) = match.asked
        turn = Turn(1, game.name, match.ply, match.observe(seat).position, seat)
        match.play(seat, bot.move(turn).move if seat == 0 else chance.choice(match.legal_of(seat)))  # type: ignore[union-attr]  # it replies at once
    assert match.position.payoffs[0] > 0
