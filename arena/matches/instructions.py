# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bots may play by instructions: WebAssembly bots that this arena hosts. Others could report any number."""

from enum import StrEnum

from arena.connections.sessions import Entrant
from arena.protocol.conditions import Conditions
from engine.time_control import TimeControl


class Lack(StrEnum):
    """Why a bot can play no match by instructions, for people; pages translate these texts."""

    MODULE = "{0} cannot play with an instruction limit; only WebAssembly bots that this server hosts can"


def why_not(control: TimeControl, sides: tuple[Entrant, Entrant]) -> str | None:
    """Return the reason why two connected bots cannot play with a time control, for people, or None."""
    if lack := lacking(control, sides[0]) or lacking(control, sides[1]):
        return lack
    one, other = (side.module for side in sides)
    if not control.timed and one and other and (one.wasmtime, one.machine) != (other.wasmtime, other.machine):
        return "different versions of wasmtime run the two bots"
    return None


def lacking(control: TimeControl, side: Entrant) -> str | None:
    """Return the reason why a connected bot can play no match with a time control, for people, or None."""
    if control.timed or side.module is not None:
        return None
    return Lack.MODULE.format(side.bot.name)


def conditions(control: TimeControl, sides: tuple[Entrant, Entrant]) -> str | None:
    """Return the conditions of a match of two bots that can play it, as they are stored; None with a clock."""
    one, other = (side.module for side in sides)
    if control.timed or one is None or other is None:
        return None
    return Conditions.of(one, other).written()
