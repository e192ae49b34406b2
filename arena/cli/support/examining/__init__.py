# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of ``arena doctor``: each examines one part of an installation and says what to do about a problem."""

from typing import Literal

from msgspec import Struct

State = Literal["ok", "warning", "error"]


class Check(Struct, frozen=True):
    """What the examination of one part of an installation found."""

    name: str
    state: State
    """``error``: the arena cannot run, or loses data; ``warning``: something is missing or slower than it could be."""
    found: str
    """The finding, for people."""
    advice: str = ""
    """What to do; "" if the state is ``ok``."""
