# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots that the bots for Battleship need to sink a fleet, over random fleets.

``python -m lab.bench.games.battleship --boards 1000`` plays other numbers of boards.
"""

import argparse
import math
import time
from collections.abc import Iterator

from bots.built_in.kinds.battleship import DENSITY, EVEN, HUNT, RANDOM, shots_to_sink
from engine.games import find
from engine.games.battleship.board import CELLS, SQUARES
from lab.bench.measurements import Measurement

BOARDS = 10_000
NORMAL_95 = 1.96
EXACT = CELLS * (SQUARES + 1) / (CELLS + 1)
"""Mean place of the last of the fleet's squares in a random order of all squares."""
WAYS = {RANDOM: "random", HUNT: "hunt and target", DENSITY: "density"}
MOST = {"battleship": 44.0, "battleship/silent": 54.0}
"""Means that ``density`` is to stay under, by game."""


def measured(game: str, way: int, boards: int, power: float = 0.0) -> tuple[float, float, str]:
    """Return the mean number of shots, half of its interval of 95 %, and a remark."""
    shots_to_sink(find(game), way, 1, power=power)
    began = time.process_time()
    counts = shots_to_sink(find(game), way, boards, power=power)
    spent = 1000 * (time.process_time() - began) / boards
    mean, error = float(counts.mean()), float(NORMAL_95 * counts.std(ddof=1) / math.sqrt(boards))
    half, most = int(sorted(counts)[boards // 2]), int(counts.max())
    return mean, error, f"± {error:.2f}, median {half}, most {most}, {boards:,} boards, {spent:.2f} ms a board"


def lines(boards: int) -> Iterator[Measurement]:
    """Measure all ways to shoot, with and without announcements; a random order has a known mean."""
    mean, error, note = measured("battleship", RANDOM, boards)
    yield Measurement(
        what=f"Battleship, random: distance from the exact mean {EXACT:.2f}",
        unit="shots",
        ours=abs(mean - EXACT),
        target=error,
        of="figure",
        bound="at most",
        note=f"mean {mean:.2f} {note}",
    )
    for game in MOST:
        for way in (HUNT, DENSITY):
            mean, error, note = measured(game, way, boards)
            yield Measurement(
                what=f"{game}, {WAYS[way]}: shots to sink a random fleet",
                unit="shots",
                ours=mean,
                target=MOST[game] if way == DENSITY else None,
                of="figure",
                bound="at most",
                note=note,
            )
    mean, error, note = measured("battleship", DENSITY, boards, EVEN)
    yield Measurement(what="battleship, density: shots to sink a fleet of its own", unit="shots", ours=mean, note=note)


def run_battleship() -> Iterator[Measurement]:
    """Measure over the usual number of boards."""
    yield from lines(BOARDS)


BENCHMARKS = {"battleship": run_battleship}


def main() -> None:
    """Print a line for each way to shoot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS, help="number of boards, 2 or more")
    boards = parser.parse_args().boards
    if boards < 2:  # an interval needs two
        parser.error(f"--boards must be 2 or more (got {boards})")
    for line in lines(boards):
        print(f"{line.what}: {line.ours:.2f} ({line.note})", flush=True)


if __name__ == "__main__":
    main()
