# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of runners, and errors of their records."""

from typing import NamedTuple

from arena.store.errors import Unknown


class RunnerRow(NamedTuple):
    """A runner that operators registered."""

    id: int
    name: str
    token_hash: str | None
    """None once the runner was removed."""
    created: float
    seen: float | None
    """Unix time at which it was connected last; None: never."""


class HostedRow(NamedTuple):
    """A time during which a runner hosted a bot."""

    bot_id: int
    runner: str
    version: str
    platform: str
    speed: float
    cores: int
    began: float
    ended: float | None


class Hosted(NamedTuple):
    """The start of a time during which a runner hosts a bot."""

    runner_id: int
    bot_id: int
    version: str
    platform: str
    speed: float
    cores: int


class UnknownRunner(Unknown):
    """No runner has this name."""
