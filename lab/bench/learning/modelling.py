# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning a thousand games of a player, and predicting one of its moves."""

import time
from collections.abc import Iterator

from bots.modelling.model import Model
from bots.modelling.replay import replays
from bots.modelling.sources import PlayerName, Skips
from engine.games import find
from lab.bench.measurements import Measurement, median
from tests.bots.modelling.habitual import games

GAMES, PLIES = 1_000, 80


def run() -> Iterator[Measurement]:
    """Time both."""
    game, player = find("chess"), PlayerName("habit")
    records = games(GAMES, plies=PLIES)
    few = records[:80]
    model = Model(game, player)
    model.learn(few)
    began = time.perf_counter()
    Model(game, player).learn(records)
    learned = time.perf_counter() - began
    yield Measurement(
        what=f"learning {GAMES:,} games of {PLIES} plies",
        unit="s",
        ours=learned,
        target=10.0,
        of="figure",
        bound="at most",
    )
    model.calibrate(few)
    turns = [turn for one in replays(game, records[80:90], player, Skips()) for turn in one.turns()]

    def milliseconds() -> float:
        began = time.perf_counter()
        for turn in turns:
            model.predict(turn.position, turn.past)
        return (time.perf_counter() - began) / len(turns) * 1000

    yield Measurement(
        what="a prediction, 80 games known",
        unit="ms",
        ours=median(milliseconds),
        target=1.0,
        of="figure",
        bound="at most",
    )


BENCHMARKS = {"modelling": run}
