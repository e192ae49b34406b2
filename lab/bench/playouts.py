# SPDX-License-Identifier: GPL-3.0-or-later
"""Random playouts in plies for a second of CPU, as draws end games at different lengths."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from engine.games import find
from engine.playout import playouts
from lab.bench import peers
from lab.bench.lines import Line, median

ROLLOUTS = Path(__file__).with_name("openspiel_rollouts.py")

GAMES = (
    ("checkers", "checkers", 20_000, 20.0),
    ("tictactoe", "tic_tac_toe", 1_000_000, 5.0),
    ("chess", "chess", 3_000, 50.0),
)
"""Our name, OpenSpiel's, games that are played, and the ratio aimed at."""


def plies_per_second(name: str, games: int) -> float:
    """Play games and return plies for a second of CPU."""
    game = find(name)
    began = time.process_time()
    tally = playouts(game, games, seed=1)
    return tally.plies / (time.process_time() - began)


def run() -> Iterator[Line]:
    """Compare."""
    python = peers.python()
    for ours, theirs, games, target in GAMES:
        peer = json.loads(peers.output([str(python), str(ROLLOUTS), theirs]))
        yield Line(
            what=f"random plies of {ours}",
            unit="1/s CPU",
            ours=median(lambda name=ours, number=games: plies_per_second(name, number)),  # type: ignore[misc]  # bound now
            peer=peer["plies_per_second"],
            peer_name=f"OpenSpiel {peer['version']}",
            target=target,
            of="ratio",
            bound="at least",
        )
