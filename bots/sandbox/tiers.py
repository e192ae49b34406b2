# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out which sandbox this machine offers, by running a program in it."""

import sys
from dataclasses import dataclass
from pathlib import Path

from bots.sandbox import bubblewrap
from bots.sandbox.cgroups import Groups, NoGroups
from bots.sandbox.limits import Program
from bots.sandbox.process import ProgramFailed, Sandbox, Tier
from bots.sandbox.seccomp import NoFilter

TRIAL_WITHIN = 10.0
"""Seconds of its own time for the trial of a tier."""


@dataclass(frozen=True, slots=True)
class Found:
    """The sandbox of this machine."""

    sandbox: Sandbox | None
    """None: programs in machine code cannot be run safely here."""
    reasons: tuple[str, ...]
    """Why better tiers, or control groups, are not used."""

    @property
    def tier(self) -> str:
        """The tier's name: "bubblewrap", "namespaces" or "none"."""
        return self.sandbox.tier if self.sandbox else "none"

    @property
    def memory_by(self) -> str:
        """The limit of the memory: "cgroup v1", "cgroup v2", "watchdog" or "none"."""
        if self.sandbox is None:
            return "none"
        return f"cgroup {self.sandbox.groups.version}" if self.sandbox.groups else "watchdog"


async def find() -> Found:
    """Try the tiers, the best first."""
    if sys.platform != "linux":
        return Found(None, (f"sandboxes need Linux (this is {sys.platform})",))
    reasons: list[str] = []
    groups = None
    try:
        groups = Groups.find()
    except NoGroups as error:
        reasons.append(f"control groups: {error}")
    tiers: tuple[Tier, ...] = ("bubblewrap", "namespaces")
    for tier in tiers:
        for with_groups in (groups, None) if groups else (None,):
            sandbox = Sandbox(tier, with_groups)
            if fault := await _fault(sandbox):
                reasons.append(f"{tier}{' with control groups' if with_groups else ''}: {fault}")
            else:
                return Found(sandbox, tuple(reasons))
    return Found(None, tuple(reasons))


async def _fault(sandbox: Sandbox) -> str:
    """Return why a tier does not work; empty if it does."""
    if sandbox.tier == "bubblewrap" and (missing := bubblewrap.missing()):
        return f"{', '.join(missing)} not installed"
    trial = Program(("/bin/sh", "-c", "echo works"), Path(__file__).parent)
    try:
        running = await sandbox.start(trial)
    except (ProgramFailed, NoFilter) as error:
        return str(error)
    try:
        line, _ = await running.within(TRIAL_WITHIN, running.read())
        return "" if line == b"works\n" else "its trial wrote something else"
    except TimeoutError:
        return f"its trial did not end within {TRIAL_WITHIN:g} s"
    except ProgramFailed as error:
        said = running.errors.strip().partition("\n")[0]
        return f"{said or error}"
    finally:
        await running.close()
