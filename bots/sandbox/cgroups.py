# SPDX-License-Identifier: GPL-3.0-or-later
"""Control groups: limits on memory, processes and processor time of a whole sandbox, where this process may make them.

Version 1 has a tree for each controller, version 2 one tree for all. Both are looked for below the group that this
process is in. https://docs.kernel.org/admin-guide/cgroup-v2.html
"""

import contextlib
import os
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Literal, Self, TypeAlias

from bots.sandbox.limits import SandboxLimits

Version: TypeAlias = Literal["v1", "v2"]
CONTROLLERS = ("memory", "pids", "cpu")
PREFIX = "bot-arena-"
"""Of the names of all groups, before the number of the process that makes them."""
PERIOD = 100_000
"""Microseconds over which the share of processors is counted."""

_numbers = count(1)


class NoGroups(Exception):
    """No groups can be made here; the message says why."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Where groups can be made: a directory for each controller; in version 2 they are all the same."""

    version: Version
    parents: dict[str, Path]
    """Controller → directory; version 1 counts processor time by a controller of its own."""

    @classmethod
    def find(cls) -> Self:
        """Find the trees of this process. Raises NoGroups."""
        own = _own_groups()
        if all(name in own for name in CONTROLLERS):
            found = cls("v1", {name: own[name] for name in (*CONTROLLERS, "cpuacct") if name in own})
        elif "" in own:
            available = _words(own[""] / "cgroup.controllers")
            lacking = [name for name in CONTROLLERS if name not in available]
            if lacking:
                raise NoGroups(f"the controllers {', '.join(lacking)} are not available in {own['']}")
            enabled = _words(own[""] / "cgroup.subtree_control")
            if not set(CONTROLLERS) <= enabled:
                _enable(own[""])
            found = cls("v2", dict.fromkeys(CONTROLLERS, own[""]))
        else:
            raise NoGroups("no control groups with the controllers memory, pids and cpu")
        refused = [path for path in set(found.parents.values()) if not os.access(path, os.W_OK)]
        if refused:
            raise NoGroups(f"{refused[0]} is not writable")
        found.tidy()
        return found

    def tidy(self) -> None:
        """Remove the groups of processes that were killed."""
        for parent in set(self.parents.values()):
            for path in parent.glob(f"{PREFIX}*"):
                owner = path.name.removeprefix(PREFIX).partition("-")[0]
                if not Path("/proc", owner).exists():
                    with contextlib.suppress(OSError):
                        path.rmdir()

    def make(self, limits: SandboxLimits) -> "Group":
        """Make a group with these limits. Raises NoGroups."""
        while True:
            # a killed process that had the number of this one may have left groups
            name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
            if not any((parent / name).exists() for parent in self.parents.values()):
                break
        group = Group(self.version, {controller: parent / name for controller, parent in self.parents.items()})
        try:
            for path in set(group.paths.values()):
                path.mkdir()
            group.limit(limits)
        except OSError as error:
            group.remove()
            raise NoGroups(f"{error.filename} cannot be written: {error.strerror}") from error
        return group


@dataclass(frozen=True, slots=True)
class Group:
    """The group of one sandbox."""

    version: Version
    paths: dict[str, Path] = field(default_factory=dict)

    def limit(self, limits: SandboxLimits) -> None:
        """Write the limits. Raises OSError."""
        quota = max(1000, int(limits.cores * PERIOD))
        # the processes that make the sandbox count too
        tasks = limits.processes + 4
        memory, pids, cpu = (self.paths[name] for name in CONTROLLERS)
        _write(pids / "pids.max", tasks)
        if self.version == "v1":
            _write(memory / "memory.limit_in_bytes", limits.memory)
            with contextlib.suppress(OSError):  # only where swap is counted
                _write(memory / "memory.memsw.limit_in_bytes", limits.memory)
            _write(cpu / "cpu.cfs_period_us", PERIOD)
            _write(cpu / "cpu.cfs_quota_us", quota)
        else:
            _write(memory / "memory.max", limits.memory)
            with contextlib.suppress(OSError):  # only where swap is counted
                _write(memory / "memory.swap.max", 0)
            with contextlib.suppress(OSError):
                _write(memory / "memory.oom.group", 1)
            _write(cpu / "cpu.max", f"{quota} {PERIOD}")

    def enter(self, pid: int) -> None:
        """Let a process with one thread enter the group. Raises OSError."""
        for path in sorted(set(self.paths.values())):
            _write(path / "cgroup.procs", pid)

    def entering(self) -> list[str]:
        """Return the command that enters the group and then becomes the rest of its line."""
        paths = [str(path / "cgroup.procs") for path in sorted(set(self.paths.values()))]
        script = "".join(f'echo 0 >"${number}"; ' for number in range(1, len(paths) + 1))
        return ["/bin/sh", "-ec", f'{script}shift {len(paths)}; exec "$@"', "sh", *paths]

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel has ended a process of the group because the group reached its limit of memory.

        The kernel also counts processes that it ended because the whole machine had no memory left.
        """
        file = "memory.oom_control" if self.version == "v1" else "memory.events"
        events: dict[str, int] = {}
        with contextlib.suppress(OSError, ValueError):
            for line in (self.paths["memory"] / file).read_text(encoding="ascii").splitlines():
                name, _, number = line.partition(" ")
                events[name] = int(number)
        reached = self._failed() if self.version == "v1" else bool(events.get("max"))
        return reached and bool(events.get("oom_kill"))

    def _failed(self) -> bool:
        """Return whether a group of version 1 has reached its limit."""
        for file in ("memory.failcnt", "memory.memsw.failcnt"):
            with contextlib.suppress(OSError, ValueError):
                if int((self.paths["memory"] / file).read_text(encoding="ascii")):
                    return True
        return False

    def processes(self) -> list[int]:
        """Return the processes in the group."""
        with contextlib.suppress(OSError):
            return [int(word) for word in _words(self.paths["pids"] / "cgroup.procs")]
        return []

    def processor_time(self) -> float | None:
        """Return the seconds of processor time of the group; None where nothing counts them."""
        try:
            if self.version == "v2":
                line = (self.paths["cpu"] / "cpu.stat").read_text(encoding="ascii").partition("\n")[0]
                return int(line.removeprefix("usage_usec ")) / 1e6
            return int((self.paths["cpuacct"] / "cpuacct.usage").read_text(encoding="ascii")) / 1e9
        except (KeyError, OSError, ValueError):
            return None

    def freeze(self, frozen: bool) -> bool:
        """Stop all processes, or let them go on. Returns False where the group cannot.

        Processes that version 1 has frozen cannot be killed: should this process be killed, they would stay for ever.
        """
        if self.version == "v1":
            return False
        try:
            _write(self.paths["memory"] / "cgroup.freeze", int(frozen))
        except OSError:
            return False
        return True

    def remove(self) -> None:
        """Remove the group. Its processes have been killed; the kernel may need a moment to be done with them."""
        for path in set(self.paths.values()):
            for _ in range(100):
                try:
                    path.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)  # the kernel reports no end of its work; this runs in a thread
                else:
                    break


def _own_groups() -> dict[str, Path]:
    """Controller → directory of this process's group in version 1; "" → that in version 2."""
    mounted: dict[str, Path] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines():
            _, place, kind, options = line.split()[:4]
            if kind == "cgroup2":
                mounted[""] = Path(place)
            elif kind == "cgroup":
                mounted.update(dict.fromkeys(options.split(","), Path(place)))
    found: dict[str, Path] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, names, path = line.split(":", 2)
            for name in names.split(","):
                if name in mounted:
                    found[name] = mounted[name] / path.lstrip("/")
    return found


def _enable(path: Path) -> None:
    """Enable the controllers for groups below a group of version 2, in which no process may be then."""
    try:
        inner = path / f"{PREFIX}{os.getpid()}"
        inner.mkdir(exist_ok=True)
        for process in _words(path / "cgroup.procs"):
            if process != str(os.getpid()):
                raise NoGroups(f"{path} holds other processes too")
        _write(inner / "cgroup.procs", os.getpid())
        _write(path / "cgroup.subtree_control", " ".join(f"+{name}" for name in CONTROLLERS))
    except OSError as error:
        raise NoGroups(f"the controllers cannot be enabled in {path}: {error.strerror}") from error


def _words(path: Path) -> set[str]:
    try:
        return set(path.read_text(encoding="ascii").split())
    except OSError:
        return set()


def _write(path: Path, text: str | int) -> None:
    path.write_text(str(text), encoding="ascii")
