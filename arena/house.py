# SPDX-License-Identifier: GPL-3.0-or-later
"""The house process: the arena's own bots, which play through the public socket like everybody else.

It gets fresh tokens by pipe, so that no token of a house bot is ever kept anywhere; when it ends, it is started again.
"""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import structlog

COMMAND = (sys.executable, "-m", "bots.house")

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY = 60.0
"""Seconds after which a house that ends is thought to have been well."""

STOP_LIMIT = 3.0
"""Seconds to end in when asked to."""

log = structlog.get_logger("arena.house")


class Place(msgspec.Struct, frozen=True):
    """A house bot and the token that lets it in."""

    name: str
    token: str


class Orders(msgspec.Struct, frozen=True):
    """What the house is told, as one line of JSON."""

    url: str
    bots: list[Place]


class Progress(msgspec.Struct, frozen=True):
    """What the house tells, a line of JSON each time."""

    warming: str = ""
    ready: bool = False


class House:
    """Keeps the house process running."""

    def __init__(
        self,
        url: str,
        admit: Callable[[], Awaitable[list[Place]]],
        tell: Callable[[Progress], None],
        command: Sequence[str] = COMMAND,
    ) -> None:
        """``admit`` gives every house bot a fresh token; ``tell`` hears of the progress."""
        self._url = url
        self._admit = admit
        self._tell = tell
        self._command = command

    async def run(self) -> None:
        """Start the house, and again whenever it ends, ever more slowly if it ends soon; until cancelled."""
        pause = FIRST_PAUSE
        while True:
            started = asyncio.get_running_loop().time()
            code = await self._once()
            if asyncio.get_running_loop().time() - started > STEADY:
                pause = FIRST_PAUSE
            log.warning("the house ended", code=code, again_in=pause)
            self._tell(Progress(warming="the house bots ended and are started again"))
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _once(self) -> int:
        orders = Orders(self._url, await self._admit())
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is the server's to handle
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            # it stays open: its end tells the house that the server is gone, however it went
            process.stdin.write(msgspec.json.encode(orders) + b"\n")
            with contextlib.suppress(ConnectionError):
                await process.stdin.drain()
            async for line in process.stdout:
                self._hear(line)
            return await process.wait()
        finally:
            await _end(process)

    def _hear(self, line: bytes) -> None:
        try:
            progress = msgspec.json.decode(line, type=Progress)
        except msgspec.DecodeError:
            log.info("the house says", text=line.decode(errors="replace").rstrip())
            return
        self._tell(progress)
        log.info("the house is ready" if progress.ready else "the house warms up", what=progress.warming)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process, by force if it takes its time."""
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_LIMIT)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
