# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments that a breeder lets an arena hold: rated matches over sockets, to be watched like all others.

A tournament is known by its name, so that a breeder that is killed finds the one that it began.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.population import Result

PATIENCE = 300.0
"""Seconds that a bot may be away when it is due: as long as a breeder may take to be started again."""
_LOOK = 0.3
_RECENT = 100
"""Tournaments among which one's own is looked for."""


def hold(rest: RestClient, config: Mapping[str, Any]) -> int:
    """Create a tournament and start it, unless the arena has it already; return its number.

    Raises RequestRefused and OSError.
    """
    number, status = 0, ""
    for item in rest.get(f"/tournaments?limit={_RECENT}")["items"]:
        if (item["name"], item["game"]) == (config["name"], config["game"]) and item["status"] != "cancelled":
            number, status = item["id"], item["status"]
            break
    else:
        created = rest.post("/tournaments", {"rated": True, "patience": PATIENCE, **config})
        number, status = created["id"], created["status"]
    if status == "created":
        rest.post(f"/tournaments/{number}/status", {"status": "running"})
    return number


def finished(rest: RestClient, number: int) -> dict[str, Any]:
    """Return a tournament when it is over. Raises RequestRefused, also when it is cancelled, and OSError."""
    while True:
        view: dict[str, Any] = rest.get(f"/tournaments/{number}")
        if view["status"] == "cancelled":
            raise RequestRefused(409, f"tournament {number} was cancelled")
        if view["over"] is not None:
            return view
        time.sleep(_LOOK)


def results(view: Mapping[str, Any], pairs: Sequence[tuple[int, int]]) -> tuple[Result, ...]:
    """Return what pairs of members scored in a tournament of those meetings; a game that was not played is even."""
    bouts = view["rounds"][0]
    return tuple(
        Result(first, second, (_score(bout["games"][0]), _score(bout["games"][1])))
        for (first, second), bout in zip(pairs, bouts, strict=True)
    )


def _score(game: Mapping[str, Any]) -> float:
    return 0.5 if game["match"] is None else float(game["score"])
