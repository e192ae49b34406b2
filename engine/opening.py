# SPDX-License-Identifier: GPL-3.0-or-later
"""Random balanced openings by seed, so that deterministic bots do not repeat one game."""

import itertools
import random
from collections.abc import Iterator

from engine.game import CHANCE, Game, Position
from engine.rules import OpeningRule
from engine.search import Limits, Searcher

ATTEMPTS = 50
"""Number of random openings of which the most balanced is taken."""

DRAWS = 1_000
"""A suite ends after this many random openings in a row without a new one."""


def random_opening(game: Game, seed: int) -> tuple[str, ...]:
    """Return the opening moves of a seed; the same seed gives the same opening.

    If no attempt is balanced (``OpeningRule``), the most balanced one is used; if each attempt ends the game, none.
    """
    rule = game.opening
    if rule.plies == 0:
        return ()
    # all exact searches return the same value, and minimax compiles fastest
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
    """Yield openings that lead to different balanced positions.

    Balanced: the value of a search by ``judge``, with empty tables, is within ``margin`` of zero. With limits of depth
    or nodes the same seed gives the same openings. Ends after ``DRAWS`` attempts in a row without a new opening.
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
    """Return by how much the value of a search exceeds the margin."""
    if rule.margin is None:
        return 0
    value = searcher.search(position.state, Limits(depth=rule.depth)).value
    return max(0, abs(value) - rule.margin)
