# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the attacks in sandboxes of one kind, beside a neighbour: ``python -m tests.bots.sandbox.battery TIER LIMITS``.

LIMITS is ``groups`` or ``watchdog``. Prints a line of JSON for each attack, and one for what is left behind. A program
of its own, so that it runs as another user too.
"""

import asyncio
import contextlib
import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, cast

from bots.sandbox import ProgramFailed, Running, Sandbox
from bots.sandbox.cgroups import Groups
from bots.sandbox.process import Tier
from bots.sandbox.python import python_program
from bots.sandbox.watchdog import members
from tests.bots.sandbox.attacks import SECRET, Attack, attacks

AT_ONCE = 3
END_WITHIN = 600.0
"""Seconds in which an attack that ends by itself or by a limit must have ended."""
ENOUGH = 4 << 20
"""Bytes of output after which a flood has been seen."""
NEIGHBOUR = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)\n"


async def main(tier: Tier, limits: Literal["groups", "watchdog"]) -> None:
    """Run all attacks."""
    sandbox = Sandbox(tier, Groups.find() if limits == "groups" else None)
    with tempfile.TemporaryDirectory(prefix="bot-arena-battery-") as name, abstract_socket():
        folder = Path(name)
        outside = laid(folder)
        neighbour = await Neighbour.start(sandbox, folder)
        waiting = iter(enumerate(attacks(str(outside), os.getpid())))
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(worker(sandbox, folder, waiting))
        answered = await neighbour.end()
        say(
            name="left behind",
            answered=answered,
            processes=len(members(os.getpid())) - 1,
            groups=left_groups(),
            changed=[path.name for path in outside.iterdir() if path.name != "secret"],
        )


def laid(folder: Path) -> Path:
    """Return a directory with a secret that every user of the machine may read."""
    folder.chmod(0o755)
    outside = folder / "outside"
    outside.mkdir()
    (outside / "secret").write_text(SECRET, encoding="ascii")
    return outside


class Neighbour:
    """A program that plays by the rules while others do not."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._answered = 0
        self._talking = asyncio.create_task(self._talk())

    @classmethod
    async def start(cls, sandbox: Sandbox, folder: Path) -> "Neighbour":
        """Start it."""
        return cls(await sandbox.start(python_program(written(folder, "neighbour", NEIGHBOUR))))

    async def _talk(self) -> None:
        while True:
            await self._running.write(str(self._answered).encode())
            assert (await self._running.read()).strip() == str(self._answered)[::-1].encode()
            self._answered += 1
            await asyncio.sleep(0.01)

    async def end(self) -> int:
        """End it, and return the number of its answers. Raises what went wrong."""
        self._talking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._talking
        await self._running.close()
        return self._answered


async def worker(sandbox: Sandbox, folder: Path, waiting: Iterator[tuple[int, Attack]]) -> None:
    """Run attacks until none is left."""
    for number, attack in waiting:
        file = written(folder, f"attack-{number}", attack.code)
        running = await sandbox.start(python_program(file, limits=attack.limits))
        pid = running.pid
        output, end = b"", "it was still running"
        try:
            async with asyncio.timeout(END_WITHIN if attack.ends else 1.0):
                while len(output) < ENOUGH:
                    line = await running.read()
                    output += line[:10_000]
                    if len(line) > 10_000:
                        output += b" " * len(line)
        except TimeoutError:
            pass
        except ProgramFailed as error:
            end = str(error)
        if attack.name == "input that it never reads":
            end = await stuffed(running)
        await running.close()
        text = output.decode(errors="replace")
        say(
            name=attack.name,
            began="began" in text,
            escaped=[line[:200] for line in text.splitlines() if line.startswith("ESCAPED")],
            tried=text.count("held "),
            ended=end,
            expected_to_end=attack.ends,
            errors=running.errors[-300:],
            alive=alive(pid),
        )


def alive(pid: int) -> list[int]:
    """Return what still runs of a process and its descendants."""
    return [one for one in members(pid) if Path(f"/proc/{one}").exists()]


async def stuffed(running: Running) -> str:
    """Write lines until the pipe is full; the writer waits, and nobody else does."""
    try:
        async with asyncio.timeout(1.0):
            while True:
                await running.write(b"x" * 60_000)
    except TimeoutError:
        return "its input is full"


def written(folder: Path, name: str, code: str) -> Path:
    """Write a program in a directory of its own."""
    place = folder / name
    place.mkdir()
    file = place / "program.py"
    file.write_text(code, encoding="utf-8")
    return file


@contextlib.contextmanager
def abstract_socket() -> Iterator[None]:
    """Listen at an abstract socket of the machine."""
    with socket.socket(socket.AF_UNIX) as server:
        with contextlib.suppress(OSError):  # that of another run serves as well
            server.bind("\0bot-arena-test")
            server.listen()
        yield


def left_groups() -> list[str]:
    """Return the control groups of this process that still exist."""
    return [str(path) for path in Path("/sys/fs/cgroup").glob(f"*/**/bot-arena-{os.getpid()}-*")]


def say(**told: Any) -> None:
    """Print a line of JSON."""
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(main(cast(Tier, sys.argv[1]), cast(Literal["groups", "watchdog"], sys.argv[2])))
