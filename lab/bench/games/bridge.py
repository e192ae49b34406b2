# SPDX-License-Identifier: GPL-3.0-or-later
"""Double-dummy solving of bridge deals beside DDS (B. Haglund and S. Hein), that of the development package endplay."""

import random
import time
from collections.abc import Iterator, Sequence

import numpy as np
from endplay import _dds as dds
from endplay.types import Deal, Denom, Player

from engine.exact import LIMIT, NODES
from engine.games import find
from engine.games.bridge.cards import PLAYERS
from engine.games.bridge.double_dummy import DoubleDummy
from engine.games.bridge.notation import write_hand
from lab.bench.measurements import Measurement, in_turn

DEALS, HAND = 100, 13
STRAINS = ("C", "D", "H", "S", "NT")
DENOMINATIONS = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
TABLE = 1 << 26
"""Bytes of our table."""
BEST, ONE_CARD, KEEP = -1, 1, 0
"""What DDS is asked: the most tricks, for one best card; and to search even where it is clear."""
AIM = 5.0
"""Times DDS's time."""


def random_deals(count: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Yield deals as PBN, with strain and leader: each strain in turn, a random leader."""
    chance = random.Random(seed)
    for number in range(count):
        deck = [16 * suit + rank for suit in range(4) for rank in range(HAND)]
        chance.shuffle(deck)
        hands = (sum(1 << card for card in deck[HAND * player : HAND * (player + 1)]) for player in range(4))
        yield "N:" + " ".join(map(write_hand, hands)), number % 5, chance.randrange(4)


def our_seconds(deals: Sequence[tuple[str, int, int]], found: list[int]) -> float:
    """Solve deals, each with an empty table, and return the seconds of CPU; ``found`` gets the leader's tricks."""
    game = find("bridge/double-dummy")
    states = [game.parse_position(f"{pbn} {STRAINS[strain]} {PLAYERS[leader]}") for pbn, strain, leader in deals]
    control = np.zeros(NODES + LIMIT + 4, np.int64)
    control[LIMIT] = 2**62
    solver = DoubleDummy(control, TABLE)
    found.clear()
    began = time.process_time()
    for state, (_, _, leader) in zip(states, deals, strict=True):
        tricks = solver.tricks(state)
        assert tricks is not None
        found.append(tricks if leader % 2 == 0 else HAND - tricks)
    return time.process_time() - began


def their_seconds(deals: Sequence[tuple[str, int, int]], found: list[int]) -> float:
    """Let DDS solve deals in one thread, and return the seconds of CPU."""
    dds.SetMaxThreads(1)
    boards = [
        Deal(pbn, first=Player.find(PLAYERS[leader]), trump=DENOMINATIONS[strain])._data
        for pbn, strain, leader in deals
    ]
    found.clear()
    began = time.process_time()
    for board in boards:
        result = dds.futureTricks()
        dds.SolveBoard(board, BEST, ONE_CARD, KEEP, result, 0)
        found.append(result.score[0])
    return time.process_time() - began


def run_bridge() -> Iterator[Measurement]:
    """Compare."""
    deals = list(random_deals(DEALS, 1))
    found: list[int] = []
    known: list[int] = []
    our_seconds(deals[:1], found)
    ours, peer = in_turn(lambda: our_seconds(deals, found), lambda: their_seconds(deals, known))
    equal = sum(one == other for one, other in zip(found, known, strict=True))
    yield Measurement(
        what=f"{DEALS} deals of bridge, one best card",
        unit="s CPU",
        ours=ours,
        peer=peer,
        peer_name="DDS (endplay)",
        target=AIM,
        of="ratio",
        bound="at most",
        note=f"{equal} of {DEALS} deals have the same tricks",
    )


BENCHMARKS = {"bridge": run_bridge}
