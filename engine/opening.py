# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings drawn by a seed: random legal plies whose position is balanced, as the game's ``OpeningRule`` says.

Deterministic bots would otherwise play one game over and over.
"""

import itertools
import random
from collections.abc import Iterator

from engine.game import CHANCE, Game, OpeningRule, Position
from engine.search import Limits, Searcher

ATTEMPTS = 50
"""How many openings are drawn before the most balanced of them is taken."""

DRAWS = 1_000
"""How many in vain end a suite of them."""


def random_opening(game: Game, seed: int) -> tuple[str, ...]:
    """Return the texts of the opening moves that ``seed`` draws; the same seed draws the same opening.

    When no attempt is balanced, it is the one nearest to it; when every attempt ends the game, there is no opening.
    """
    rule = game.opening
    if rule.plies == 0:
        return ()
    # the value is every exact search's, and minimax is the one that compiles soonest
    searcher = Searcher(game, "minimax")
    nearest: tuple[str, ...] = ()
    least: int | None = None
    for attempt in range(ATTEMPTS):
        texts, position = _draw(game, rule.plies, random.Random(f"{seed}/{attempt}"))
        if position.over:
            continue
        imbalance = _imbalance(searcher, position, rule)
        if imbalance == 0:
            return texts
        if least is None or imbalance < least:
            nearest, least = texts, imbalance
    return nearest


def drawn_openings(
    game: Game, seed: int, *, plies: int, judge: Searcher, limits: Limits, margin: int
) -> Iterator[tuple[str, ...]]:
    """Yield ever more openings that lead to different positions, each of which ``judge`` holds to be balanced.

    Balanced: its value, from an empty table, stays within ``margin`` of zero. The same seed draws the same openings
    when depth or nodes limit the search. Ends when ``DRAWS`` in a row gave no other.
    """
    seen: set[int] = set()
    vain = 0
    for number in itertools.count():
        texts, position = _draw(game, plies, random.Random(f"{seed}/{number}"))
        vain += 1
        if not position.over and position.key not in seen:
            judge.clear()
            if abs(judge.search(position.state, limits).value) <= margin:
                seen.add(position.key)
                vain = 0
                yield texts
        if vain == DRAWS:
            return


def _draw(game: Game, plies: int, chance: random.Random) -> tuple[tuple[str, ...], Position]:
    position = game.look(game.start())
    texts: list[str] = []
    while len(texts) < plies and not position.over:
        odds = game.odds(position) if position.to_move == CHANCE else None
        move = chance.choice(position.moves) if odds is None else chance.choices(position.moves, odds)[0]
        texts.append(game.format_move(position.state, move))
        position = game.play(position, move)
    return tuple(texts), position


def _imbalance(searcher: Searcher, position: Position, rule: OpeningRule) -> int:
    """Return by how much the search's value exceeds the margin."""
    if rule.margin is None:
        return 0
    value = searcher.search(position.state, Limits(depth=rule.depth)).value
    return max(0, abs(value) - rule.margin)
