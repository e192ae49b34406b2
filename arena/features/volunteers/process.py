# SPDX-License-Identifier: GPL-3.0-or-later
"""The verifier's process: a child of the server, started when the first island joins."""

from functools import partial

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.features.volunteers.exchange import Exchange
from arena.features.volunteers.settings import VolunteerSettings
from arena.hosting.supervisor import Supervisor
from arena.protocol.orders import OperatorOrders
from engine.native import child

COMMAND = partial(child.command, "bots.evolution.evochess.verifier")


async def keep_verifier(arena: Arena, url: str, name: str) -> None:
    """Verify claims beside the arena, as the operator ``name``, until cancelled; unless the settings say otherwise."""
    if not arena.settings.of(VolunteerSettings).volunteer_verification:
        return

    async def orders(_: int) -> OperatorOrders:
        token = make_token()
        arena.store.operators.admit(name, hash_token(token))
        return OperatorOrders(url, token)

    await arena.part(Exchange).islands.joined.wait()
    await Supervisor(orders, lambda progress: None, COMMAND, name="verifier").run()
