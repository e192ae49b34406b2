# SPDX-License-Identifier: GPL-3.0-or-later
"""Examine this machine: its processors, memory and disk, and the sandbox for untrusted programs.

Exit code 0: everything is there; 1: something is missing, and the answer says what to do.
"""

import argparse
import asyncio
import platform
import shutil
import sys
from pathlib import Path

from msgspec import Struct

from arena.cli.support.output import add_json, print_json, print_table, say
from arena.hosting.processors import allowed
from bots.sandbox import find
from engine.runtime import use_cache

GROUP = "maintain"

LEAST_SPACE = 1 << 30
"""Bytes that the kernel cache and a small arena need."""


class SandboxFound(Struct):
    """The sandbox for programs."""

    tier: str
    """bubblewrap, namespaces or none."""
    memory: str
    """What limits the memory: cgroup v1, cgroup v2, watchdog or none."""
    reasons: list[str]
    """Why better tiers are not used."""


class Examination(Struct):
    """What this machine offers."""

    python: str
    system: str
    processors: int
    """Those that this process may use."""
    memory: int | None
    """Bytes; None where it cannot be read."""
    kernel_cache: str
    """The directory of the compiled code."""
    free: int
    """Bytes on its disk."""
    sandbox: SandboxFound
    problems: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine, and print the answer."""
    found = asyncio.run(find())
    cache = use_cache()
    space = shutil.disk_usage(cache).free
    problems = []
    if found.sandbox is None:
        problems.append("no sandbox: do not run programs of strangers here (install bubblewrap, prlimit and setpriv)")
    if space < LEAST_SPACE:
        problems.append(f"{space >> 20:,} MiB are free at {cache}; compiled code needs up to {LEAST_SPACE >> 20:,} MiB")
    answer = Examination(
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} on {platform.machine()}",
        processors=allowed(),
        memory=_memory(),
        kernel_cache=str(cache),
        free=space,
        sandbox=SandboxFound(found.tier, found.memory_by, list(found.reasons)),
        problems=problems,
    )
    if arguments.json:
        print_json(answer)
    else:
        _print(answer)
    return 1 if problems else 0


def _memory() -> int | None:
    if sys.platform != "linux":
        return None
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        if name == "MemTotal":
            return int(rest.split()[0]) * 1024
    return None


def _print(answer: Examination) -> None:
    rows = [
        ("Python", answer.python),
        ("system", answer.system),
        ("processors", answer.processors),
        ("memory", "unknown" if answer.memory is None else f"{answer.memory >> 20:,} MiB"),
        ("kernel cache", f"{answer.kernel_cache}, {answer.free >> 20:,} MiB free"),
        ("sandbox", answer.sandbox.tier),
        ("memory limit", answer.sandbox.memory),
    ]
    print_table(("what", "found"), rows)
    for reason in answer.sandbox.reasons:
        say(f"not used: {reason}")
    for problem in answer.problems:
        say(f"problem: {problem}")
