# SPDX-License-Identifier: GPL-3.0-or-later
"""Putting an arena together: store → arena → web application → socket; taken apart the other way round."""

import argparse
import asyncio
import contextlib
import gc
import socket
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from ipaddress import ip_address

import structlog

from arena.application import Arena
from arena.cli.features import FEATURES
from arena.cli.support.command_line import CommandError
from arena.connections.addresses import is_loopback
from arena.connections.admission import hash_token, make_token
from arena.data_directory import founded
from arena.protocol.orders import HostedBot, HostOrders
from arena.settings import Settings
from arena.store import Store
from arena.store.database.tenure import Tenure
from arena.store.errors import NameTaken, StoreError
from bots.built_in import kinds
from bots.built_in.kinds import BuiltInBot
from web.application import make_runner
from web.intake.site import IntakeSite

log = structlog.get_logger("arena.serve")


@contextlib.asynccontextmanager
async def running(
    arguments: argparse.Namespace, settings: Settings, listeners: Sequence[socket.socket]
) -> AsyncIterator[Arena]:
    """Run an arena behind listening sockets.

    Raises CommandError where its database or its settings do not allow it.
    """
    async with contextlib.AsyncExitStack() as stack:
        try:
            tenure = _tenure(settings, founded(arguments), listeners[0])
            stack.push_async_callback(tenure.leave)
            await tenure.prepare()
            store = await Store.open(founded(arguments), tell=log.info)
            stack.push_async_callback(store.close)
            await store.claim(tenure=tenure)
            arena = Arena(settings, store, FEATURES, local=_is_local(settings, listeners))
            runner = make_runner(arena, FEATURES, host=arguments.host)
        except (StoreError, ValueError) as error:
            raise CommandError(str(error)) from None
        _declare_bots(arena, built_in=not arguments.no_built_in_bots)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await arena.start()
        stack.push_async_callback(arena.stop)
        for listener in listeners:
            await IntakeSite(runner, listener).start()
        async with _short_collections(arena):
            yield arena


def _tenure(settings: Settings, database: str, listener: socket.socket) -> Tenure:
    """Return how the server holds its database. Raises ValueError."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = socket.gethostname()  # at which other machines may reach it
    own = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    claims = [feature.claim for feature in FEATURES if feature.claim is not None]
    return claims[0](settings, database, own) if claims else Tenure()


def _is_local(settings: Settings, listeners: Sequence[socket.socket]) -> bool:
    """Return whether only clients of this machine can reach the arena: it listens on loopback, behind no proxy."""
    if len(listeners) > 1 or settings.trusted_proxies or settings.public_names or settings.path_prefix:
        return False  # a Unix socket is there for a proxy
    return is_loopback(listeners[0].getsockname()[0])


def _declare_bots(arena: Arena, *, built_in: bool) -> None:
    """Tell an arena which built-in bots will come, by the processes that are started for them, and which will not."""
    settings = arena.settings
    further = settings.further()
    if unknown := [name for name in further if name not in kinds.catalogue()]:
        known = ", ".join(name for name, bot in kinds.catalogue().items() if not bot.usual)
        raise CommandError(f"--further-bots: no built-in bot is called {unknown[0]!r}; there are {known}")
    games = list(arena.registry.games)
    if built_in:
        arena.places.offer(
            (kind, bot.name, bot.description)
            for kind, bot in kinds.of_process("built-in", further)
            if any(map(bot.plays, games))
        )
    bots: dict[str, Sequence[str]] = {
        "built-in": [bot.name for _, bot in kinds.of_process("built-in", further)],
        "adaptive": [bot.name for _, bot in kinds.of_process("adaptive", further)],
    }
    bots |= {feature.name: feature.bots for feature in FEATURES if feature.bots}
    started = dict.fromkeys(bots, built_in) | {"adaptive": built_in and settings.learning}
    arena.hosting.declare(
        {process: names for process, names in bots.items() if started[process]},
        off=[name for process, names in bots.items() if not started[process] for name in names],
    )


@contextlib.asynccontextmanager
async def _short_collections(arena: Arena) -> AsyncIterator[None]:
    """Exclude the loaded objects from garbage collection: scanning them takes the time of many moves."""
    gc.freeze()
    freezing = asyncio.create_task(_freeze_again(arena))
    try:
        yield
    finally:
        freezing.cancel()
        gc.unfreeze()


async def _freeze_again(arena: Arena) -> None:
    await arena.prepared.wait()
    gc.freeze()


async def built_in_orders(arena: Arena, url: str, pid: int) -> HostOrders:
    """Send the built-in bots' process its address and fresh tokens."""
    places = await arena.places.start(pid)
    arena.hosting.hosts("built-in", [place.name for place in places])
    return HostOrders(url, places, list(arena.registry.games), waiting=dict(arena.registry.waiting))


async def adaptive_orders(arena: Arena, url: str, pid: int | None = None) -> HostOrders | None:
    """Send the adaptive bots' process its address and fresh tokens; None if there are no such bots."""
    games = list(arena.registry.games)
    places = await _places(arena, kinds.of_process("adaptive", arena.settings.further()), games, pid)
    arena.hosting.hosts("adaptive", [place.name for place in places])
    return HostOrders(url, places, games, background=True) if places else None


async def _places(
    arena: Arena, bots: Iterable[tuple[str, BuiltInBot]], games: Collection[str], pid: int | None
) -> list[HostedBot]:
    """Create a fresh token for each built-in bot that plays one of these games, and runs in this process."""
    places = []
    for kind, entry in bots:
        if not any(map(entry.plays, games)):
            continue
        token = make_token()
        try:
            bot = await arena.store.bots.admit_built_in(entry.name, hash_token(token), description=entry.description)
        except NameTaken as error:
            log.warning("a built-in bot cannot connect", bot=entry.name, why=str(error))
            continue
        if bot is not None:
            places.append(HostedBot(kind, entry.name, token))
            if pid is not None:
                arena.processor_time.settle(pid, [bot.id])
    return places
