# SPDX-License-Identifier: GPL-3.0-or-later
"""The verifier's process: a child of the server, started when the first island joins."""

from functools import partial

import msgspec

from arena.application import Arena
from arena.connections.tokens import hash_token, make_token
from arena.features.volunteers.exchange import Exchange
from arena.features.volunteers.settings import VolunteerSettings
from arena.hosting.supervisor import Supervisor
from engine import child

COMMAND = partial(child.command, "bots.evolution.evochess")


class VerifierOrders(msgspec.Struct, frozen=True):
    """Where claims are verified: the arena, and an operator's token."""

    url: str
    token: str


async def keep_verifier(arena: Arena, url: str, name: str) -> None:
    """Verify claims beside the arena, as the operator ``name``, until cancelled; unless the settings say otherwise."""
    if not arena.settings.of(VolunteerSettings).volunteer_verification:
        return

    async def orders(_: int) -> VerifierOrders:
        token = make_token()
        await arena.store.operators.admit(name, hash_token(token))
        return VerifierOrders(url, token)

    await arena.part(Exchange).demes.joined.wait()
    await Supervisor(orders, lambda progress: None, COMMAND, name="verifier").run()
