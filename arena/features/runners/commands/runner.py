# SPDX-License-Identifier: GPL-3.0-or-later
"""Host bots on this machine for an arena, as one of its runners.

`arena runners add NAME` on the server prints the token. The runner prepares the built-in bots, tells the arena what the
machine offers, and plays the bots that the arena gives it. Ends with Ctrl-C: its bots move first. Both machines must
have the same version of Bot Arena.
"""

import argparse
import asyncio
import os
import platform
import secrets
import signal
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import structlog

from arena.cli.support.command_line import CommandError, check_least
from arena.cli.support.output import add_json, print_json, say
from arena.features.runners.link import RunnerRefused, base_of
from arena.hosting.processors import allowed
from arena.protocol.codec import PLAY_PATH
from arena.protocol.runner_messages import RUNNERS, Offer
from bots.client.address import is_local, play_address

GROUP = "run"

MIB = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--url", default=os.environ.get("ARENA_URL"), help="address of the arena (ARENA_URL)")
    parser.add_argument(
        "--token", default=os.environ.get("ARENA_RUNNER_TOKEN"), help="the runner's token (ARENA_RUNNER_TOKEN)"
    )
    parser.add_argument(
        "--cores", type=int, metavar="N", help="cores to offer (default: all that this process may use)"
    )
    parser.add_argument(
        "--memory",
        type=int,
        metavar="MIB",
        help="memory to offer for processes of uploaded bots, in MiB; 0: host no uploaded bots (default: half of the "
        "machine's)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        help="give up if no arena answers for this number of seconds (default: never)",
    )
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="allow http:// and ws:// to another machine: everybody on the way can read tokens and uploaded code",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Host bots until interrupted."""
    if not arguments.url:
        raise CommandError("no address: set --url or ARENA_URL, such as https://arena.example.org")
    if not arguments.token:
        raise CommandError("no token: set --token or ARENA_RUNNER_TOKEN (`arena runners add NAME` prints a token)")
    if not arguments.token.isascii() or not arguments.token.isprintable():
        raise CommandError("the token has letters that no token has")
    check_least(arguments, {"cores": 1, "memory": 0, "patience": 0})
    try:
        base, play_url = base_of(arguments.url, PLAY_PATH), play_address(arguments.url)
    except ValueError as error:
        raise CommandError(str(error)) from None
    if not base.startswith("https:") and not is_local(base) and not arguments.insecure:
        raise CommandError(
            f"{arguments.url} is not encrypted, and on another machine: use https:// or wss://, or --insecure in a "
            "network that you trust"
        )
    try:
        asyncio.run(_host(arguments, base, play_url))
    except RunnerRefused as error:
        raise CommandError(str(error)) from None
    return 0


async def _host(arguments: argparse.Namespace, base: str, play_url: str) -> None:
    from arena.features.runners.calibration import speed
    from arena.features.runners.machine import Machine
    from bots.sandbox import find

    stop = _stop_event()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    if not arguments.json:
        say("Measuring this machine ...", flush=True)
    measured = await asyncio.to_thread(speed)
    found = await find()
    offer = Offer(
        protocol=RUNNERS,
        version=version("bot-arena"),
        run=secrets.token_hex(8),
        platform=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"[:120],
        cores=allowed() if arguments.cores is None else arguments.cores,
        memory=_memory() // 2 if arguments.memory is None else arguments.memory * MIB,
        speed=measured,
        sandbox=found.tier,
    )

    def tell(name: str) -> None:
        if arguments.json:
            print_json(
                {
                    "runner": name,
                    "url": base,
                    "cores": offer.cores,
                    "memory": offer.memory,
                    "speed": offer.speed,
                    "sandbox": offer.sandbox,
                }
            )
        else:
            say(
                f"{name} hosts bots for {base}: {offer.cores} cores, {offer.memory / MIB:,.0f} MiB, "
                f"{offer.speed / 1e6:.1f} M nodes/s, sandbox {offer.sandbox} (stop it with Ctrl-C)",
                flush=True,
            )

    if stop.is_set():
        return
    with tempfile.TemporaryDirectory(prefix="arena-runner-") as folder:
        machine = Machine(
            base,
            play_url,
            arguments.token,
            offer,
            Path(folder) / "uploads",
            tell,
            proxied=not is_local(base),
            patience=arguments.patience,
        )
        await machine.run(stop)


def _memory() -> int:
    """Return the bytes of memory of this machine; 0 where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0


def _stop_event() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set; a second signal ends the process at once."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def asked(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, asked)
    return stop
