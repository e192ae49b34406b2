# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays games of breeding and prints, as JSON, their evaluations and CPU seconds: run in a process of its own.

``python leaves.py GAMES``, with the checkout to be measured as the working directory: it imports that checkout's
packages, an older one's too, so it uses nothing that is new. The same games are played in each checkout.
"""

import json
import resource
import sys
from pathlib import Path
from random import Random

sys.path[0] = str(Path.cwd())

SCHEMA = "chess/men-and-mobility"


def spent() -> float:
    """Return the seconds of processor time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(games: int) -> None:
    """Play, and print the evaluations and the seconds."""
    from bots.evolution.contests import Table
    from bots.evolution.genome import SCHEMAS
    from engine.games import find

    schema, chance = SCHEMAS[SCHEMA], Random(1)
    players = [schema.express(tuple(chance.uniform(*gene.first) for gene in schema.genes)) for _ in range(10)]
    table = Table(find(schema.game))
    table.play(players[0], players[1], 0)
    leaves, began = 0, spent()
    for seed in range(games):
        first, second = chance.sample(players, 2)
        leaves += table.play(first, second, seed, seed % 2).leaves
    print(json.dumps({"leaves": leaves, "seconds": spent() - began}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
