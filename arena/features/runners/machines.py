# SPDX-License-Identifier: GPL-3.0-or-later
"""The connected runners: what each offers, which bots it hosts, and how far it has prepared."""

import time
from dataclasses import dataclass, field

from arena.features.runners.connection import RunnerConnection
from arena.features.runners.rows import RunnerRow
from arena.protocol.runner_messages import Offer

NATIVE = ("python", "executable")
"""Languages of uploads that need a sandbox."""


@dataclass(slots=True)
class ConnectedRunner:
    """A runner that the arena has taken on."""

    row: RunnerRow
    connection: RunnerConnection
    offer: Offer
    cores: int
    """Cores that count."""
    processes: int
    """Uploaded bots that it can host at once, by its memory."""
    since: float = field(default_factory=time.time)
    free: int = 0
    """Cores that are free for searches, as it said last."""
    prepared: bool = False
    """Whether built-in bots enter at once."""
    preparing: str = ""
    """What it compiles, for people."""
    leaving: bool = False
    """Whether it said that it stops."""
    fault: str = ""
    """Why it gets no bots any more, for people; "" if it does."""
    built_in: set[str] = field(default_factory=set)
    """Names of the built-in bots that it hosts."""
    uploaded: dict[int, int] = field(default_factory=dict)
    """Versions of the uploaded bots that it hosts, by bot."""

    @property
    def id(self) -> int:
        """Number of the runner."""
        return self.row.id

    @property
    def machine(self) -> str:
        """Name of its cores in ``ProcessorTime``: of this connection, because an older one may still end."""
        return f"runner {self.row.id} {id(self.connection)}"

    @property
    def fit(self) -> bool:
        """Whether it gets bots."""
        return not self.leaving and not self.fault

    @property
    def bots(self) -> int:
        """Number of bots that it hosts."""
        return len(self.built_in) + len(self.uploaded)

    @property
    def usable(self) -> int:
        """Number of cores that turns may take now."""
        return max(1, min(self.cores, self.free))

    def runs(self, language: str) -> bool:
        """Return whether it can run uploads in a language."""
        return language not in NATIVE or self.offer.sandbox != "none"
