# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the arena server.

The process of the built-in bots starts first and stops first; then the server
itself loads (``arena.cli.support.serving.composition``).
"""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

import structlog

# Before numpy is loaded: a fork stops OpenBLAS's own threads. If another thread solves equations on them at that
# moment, the fork, which blocks the event loop, or the solution waits forever.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from arena.cli.features import FEATURES
from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import add_json, print_json, say
from arena.cli.support.serving.descriptors import Scarcity, fitted, raise_limit
from arena.cli.support.serving.listening import add_addresses, address_of, listening
from arena.cli.support.serving.logs import LogLimit, configure
from arena.cli.support.serving.systemd import Notifier
from arena.cli.support.settings import add_settings, chosen
from arena.connections.addresses import is_loopback
from arena.data_directory import add_place, told, unused_database
from arena.feature import Serving
from arena.hosting.supervisor import Supervisor
from arena.protocol.codec import PLAY_PATH
from arena.protocol.orders import FurtherOrders, HostOrders, HostProgress
from arena.seconds import until_next_second
from arena.settings import Settings

if TYPE_CHECKING:
    from arena.application import Arena

GROUP = "run"

LAST_WAITS = 1.0
"""Seconds between two checks whether the built-in bots are ready, for processes of the lowest priority."""

START = 1.0
"""Seconds to wait for the process of the built-in bots before the rest is loaded."""

log = structlog.get_logger("arena.serve")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_addresses(parser)
    parser.add_argument("--no-built-in-bots", action="store_true", help="run without built-in bots")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    add_place(parser)
    add_json(parser)
    add_settings(parser, FEATURES)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    with input_errors():
        settings = chosen(arguments, FEATURES)
    notifier = Notifier()
    with listening(arguments) as listeners:
        with input_errors():
            limit = configure(settings)
        settings = fitted(settings, raise_limit())
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(arguments, settings, listeners, limit, notifier))
        limit.tell(now=True)
    return 0


async def _serve(
    arguments: argparse.Namespace,
    settings: Settings,
    listeners: Sequence[socket.socket],
    limit: LogLimit,
    notifier: Notifier,
) -> None:
    """Serve on the sockets; the first one is the TCP port, which the arena's own processes use."""
    stop = _stop_event()
    scarcity = Scarcity()
    asyncio.get_running_loop().set_exception_handler(scarcity.on_exception)
    address = address_of(listeners[0])
    async with contextlib.AsyncExitStack() as later, contextlib.AsyncExitStack() as sooner:
        arena: asyncio.Future[Arena] = asyncio.get_running_loop().create_future()
        ready = asyncio.Event()
        if not arguments.no_built_in_bots:
            await sooner.enter_async_context(_built_in_bots(f"ws://{address}{PLAY_PATH}", arena, ready))
        # the other imports take as long as the start of the built-in bots' process, which runs meanwhile
        from arena.cli.support.serving.composition import running

        arena.set_result(await later.enter_async_context(running(arguments, settings, listeners)))
        if not arguments.no_built_in_bots and settings.learning:
            sooner.push_async_callback(_learning(f"ws://{address}{PLAY_PATH}", arena.result(), ready))
        settled = partial(_settled, arena.result(), ready)
        serving = Serving(f"http://{address}", not arguments.no_built_in_bots, settled)
        for feature in FEATURES:
            if feature.beside is not None:
                beside = partial(feature.beside, arena.result(), serving)
                sooner.push_async_callback(_kept(_guarded(feature.name, arena.result().peers.leads, beside)))
        sooner.push_async_callback(_kept(_tell_left_out(limit)))
        sooner.push_async_callback(_kept(scarcity.watch()))
        sooner.push_async_callback(_kept(notifier.keep()))
        page = f"http://{address}{settings.path_prefix.strip().rstrip('/')}/"
        _announce(page, arguments, await arena.result().store.matches.count())
        _warn(listeners[0], settings)
        notifier.notify("READY=1", f"STATUS=The arena is at {page}")
        await _first_of(stop, arena.result().lost)
        notifier.notify("STOPPING=1")
        if arena.result().lost.is_set():
            raise CommandError(f"stopped: {arena.result().why_lost}; all accepted moves are in the database")
        log.info("stopping")
        arena.result().expect_stop()


async def _first_of(*events: asyncio.Event) -> None:
    """Wait until one of the events is set."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()


@contextlib.asynccontextmanager
async def _built_in_bots(url: str, arena: "asyncio.Future[Arena]", ready: asyncio.Event) -> AsyncIterator[None]:
    """Run the process of the built-in bots; set ``ready`` when they are ready. They connect when the arena is there."""

    async def orders(pid: int) -> HostOrders:
        here = await asyncio.shield(arena)
        await here.peers.leads.wait()
        from arena.cli.support.serving.composition import built_in_orders

        here.on_waiting = lambda waiting: supervisor.add(FurtherOrders(dict(waiting)))
        here.places.tell = supervisor.add
        return await built_in_orders(here, url, pid)

    supervisor = Supervisor(orders, lambda progress: _tell(arena, ready, progress))
    keeping = asyncio.create_task(supervisor.run())
    starting = asyncio.create_task(supervisor.loading.wait())
    await asyncio.wait({keeping, starting}, return_when=asyncio.FIRST_COMPLETED, timeout=START)
    starting.cancel()
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


def _learning(url: str, arena: "Arena", ready: asyncio.Event) -> Callable[[], Awaitable[None]]:
    """Run the ``adaptive`` bot once the other built-in bots are ready; return a function that ends it."""

    async def keep() -> None:
        from arena.cli.support.serving.composition import adaptive_orders

        await _settled(arena, ready)
        if await adaptive_orders(arena, url) is None:
            log.info("the adaptive bot is not started: it plays none of the offered games, or its name is taken")
            return

        async def orders(pid: int) -> HostOrders:
            found = await adaptive_orders(arena, url, pid)
            assert found is not None, "they were admitted before"
            return found

        await Supervisor(orders, partial(arena.hosting.heard, "adaptive"), name="adaptive bots").run()

    return _kept(keep())


async def _settled(arena: "Arena", ready: asyncio.Event) -> None:
    """Wait until the built-in bots are ready and no other compilation runs."""
    await ready.wait()
    while arena.warming:  # noqa: ASYNC110  # there is no event for it
        await asyncio.sleep(LAST_WAITS)


async def _guarded(feature: str, leads: asyncio.Event, work: Callable[[], Awaitable[None]]) -> None:
    """Run a feature's task beside the server once this server leads; if it fails, log the error and keep the server
    running.
    """
    await leads.wait()
    try:
        await work()
    except Exception:
        log.exception("a background task of a feature failed", feature=feature)


async def _tell_left_out(limit: LogLimit) -> None:
    """Report suppressed log lines as long as the arena runs."""
    while True:
        await asyncio.sleep(until_next_second())
        limit.tell()


def _kept(work: Coroutine[None, None, None]) -> Callable[[], Awaitable[None]]:
    """Run a task beside the arena; return a function that ends it."""
    keeping = asyncio.create_task(work)

    async def end() -> None:
        keeping.cancel()
        await asyncio.wait({keeping})

    return end


def _tell(arena: "asyncio.Future[Arena]", ready: asyncio.Event, progress: HostProgress) -> None:
    if progress.left and arena.done() and arena.result().places.elsewhere(progress.left):
        return  # its token went to another machine
    if arena.done():
        arena.result().hosting.heard("built-in", progress)
    if progress.ready:
        ready.set()
        log.info("the built-in bots are ready")
    elif progress.warming and not progress.again:
        log.info("compiling code of the built-in bots", what=progress.warming)
    if arena.done() and (progress.ready or progress.warming):
        arena.result().built_in_bots_progress(progress)


def _announce(url: str, arguments: argparse.Namespace, matches: int) -> None:
    """Print the arena's address, its data directory, and an older database of this user that it does not use."""
    data, unused = told(arguments), unused_database(arguments)
    if arguments.json:
        print_json({"url": url, "data": data, "matches": matches, "unused": None if unused is None else str(unused)})
    else:
        say(f"The arena is at {url} (stop it with Ctrl-C)")
        other = f"; unused older database: {unused} (use it with `--data {unused.parent}`)" if unused else ""
        say(f"Data directory: {data}, {matches:,} {'match' if matches == 1 else 'matches'}{other}", flush=True)
    if not arguments.no_browser and _has_display():
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url)


def _warn(listener: socket.socket, settings: Settings) -> None:
    """Warn about listening to other machines."""
    if is_loopback(listener.getsockname()[0]):
        return
    log.warning(
        "other machines can reach this arena: they can read all public data, and traffic is not encrypted; see "
        "docs/how-to/deployment.md",
        public_names=settings.public_names or "none: only IP addresses and localhost are accepted",
        trusted_proxies=settings.trusted_proxies or "none: set it behind a reverse proxy",
    )


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _stop_event() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set; a second signal ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def asked(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, asked)
    return stop


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
