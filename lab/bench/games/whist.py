# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact solving of second halves of German whist. No development package has the game, so there is no peer."""

import random
import statistics
import time
from collections.abc import Iterator

import numpy as np

from engine.exact import LIMIT, NODES
from engine.games import find
from engine.games.german_whist.endgame import EXACT, Endgame
from engine.games.german_whist.notation import CARDS
from lab.bench.measurements import REPEATS, Measurement

DEALS, HAND, SUITS = 100, 13, "cdhs"
TABLE = 1 << 22
"""Bytes of the table."""


def second_halves(count: int, seed: int) -> list[str]:
    """Return positions at the begin of the second half, with random hands, trumps and seats to lead."""
    chance, texts = random.Random(seed), []
    for _ in range(count):
        deck = chance.sample(CARDS, len(CARDS))
        hands, played, leader = deck[: 2 * HAND], deck[2 * HAND :], chance.randrange(2)
        # the last trick of the first half: the leader won it with the higher of two cards of a suit
        low, high = sorted((card for card in played if card[1] == played[0][1]), key=CARDS.index)[:2]
        texts.append(
            f"{''.join(hands[:HAND])}|{''.join(hands[HAND:])} - - {chance.choice(SUITS)} {leader}:{high}{low} {leader} "
            f"0-0 {''.join(played)} -|-"
        )
    return texts


def run_whist() -> Iterator[Measurement]:
    """Solve, each repeat with an empty table."""
    game = find("german-whist")
    states = [game.parse_position(text) for text in second_halves(DEALS, 1)]
    seconds, control = [], np.zeros(4, np.int64)
    control[LIMIT] = 2**62
    Endgame(control, TABLE).tricks(EXACT.example())
    for _ in range(REPEATS):
        control[NODES] = 0
        solver = Endgame(control, TABLE)
        began = time.process_time()
        for state in states:
            solver.tricks(state)
        seconds.append(time.process_time() - began)
    yield Measurement(
        what=f"{DEALS} second halves of German whist, exact",
        unit="s CPU",
        ours=statistics.median(seconds),
        note=f"{control[NODES] / DEALS:,.0f} tricks visited for each; no peer has the game",
    )


BENCHMARKS = {"whist": run_whist}
