# SPDX-License-Identifier: GPL-3.0-or-later
"""Put an arena under load with many matches and spectators.

The clients run in processes of their own, on this machine only: an address elsewhere is refused. Bots are registered in
the arena's database under a prefix, or given new tokens when they are there already. With --serve the arena is started
for the purpose, and ends with the command.
"""

import argparse
import asyncio
import contextlib
import ipaddress
import json
import os
import signal
import socket
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.connections.admission import hash_token, make_token
from arena.data_directory import add_place, database_url, founded
from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.store import Store
from arena.store.acting import by_this_process
from arena.store.errors import NameTaken, StoreError
from bots.client.rest import RestClient
from engine.native import child
from lab.load.jobs import Job, Latencies, LoadBot, LoadCounts, PlayersJob, WatchersJob
from lab.processes import Usage, usage_of

GROUP = "load"

PERCENTILES = (50, 90, 99, 99.9)

READY = 300.0
"""Seconds that the clients may take to connect and begin."""

SETTLING = 20
"""Seconds that the server may take until it uses no more memory."""

_USUAL = frozenset({"decided", "repetition", "no-progress rule", "ply limit"})
"""Terminations that are no forfeits."""


class Outcome(msgspec.Struct):
    """The command's output: figures of the measured time alone; latencies in milliseconds."""

    matches: int
    seconds: float
    moves: int
    moves_per_second: float
    relay: dict[str, float | None]
    accepted: dict[str, float | None]
    watched: dict[str, float | None]
    everybody: dict[str, float | None]
    """Until the last spectator saw it, where all follow one match."""
    endings: dict[str, int]
    forfeits: int
    errors: dict[str, int]
    reconnects: int
    stalls: int
    frames_per_second: float
    server_cpu_per_move: float | None
    """Microseconds of the server process, for everything that it did meanwhile."""
    server_cpu: float | None
    """Processors that the server process kept busy."""
    server_bytes_before: int | None
    server_bytes_after: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--url", help="a running arena on this machine, such as http://127.0.0.1:8080")
    place.add_argument("--serve", action="store_true", help="start an arena for the test")
    parser.add_argument(
        "--pid", type=int, help="process ID of the server, to measure its resource use (known with --serve)"
    )
    parser.add_argument("--game", default="checkers", help="name of the game (default: %(default)s)")
    parser.add_argument(
        "--matches",
        type=_count,
        default=500,
        metavar="N",
        help="number of matches at the same time (default: %(default)s)",
    )
    parser.add_argument(
        "--moves-per-second",
        type=float,
        default=2.0,
        metavar="RATE",
        help="moves per second of each match (default: %(default)s)",
    )
    parser.add_argument(
        "--spectators", type=_count, default=0, metavar="N", help="number of spectators (default: %(default)s)"
    )
    parser.add_argument(
        "--watched", type=_count, default=200, metavar="N", help="number of watched matches (default: %(default)s)"
    )
    parser.add_argument("--idle", type=_count, default=0, metavar="N", help="number of idle sockets")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="duration of the measurement (default: %(default)s)"
    )
    parser.add_argument(
        "--processes", type=_count, default=2, metavar="N", help="number of client processes (default: %(default)s)"
    )
    parser.add_argument(
        "--server-core", type=_count, metavar="CORE", help="with --serve: run the server on this core alone (Linux)"
    )
    parser.add_argument("--unrated", action="store_true", help="play unrated matches")
    parser.add_argument("--prefix", default="load", help="prefix of the bots' names (default: %(default)s)")
    add_place(parser)
    add_json(parser)


def _count(text: str) -> int:
    count = int(text)
    if count < 0:
        raise argparse.ArgumentTypeError("the number must be 0 or more")
    return count


def run(arguments: argparse.Namespace) -> int:
    """Load, measure, print; the exit code is 1 when a match was forfeited or something went wrong."""
    if not (arguments.matches and arguments.processes and arguments.moves_per_second > 0):
        raise CommandError("--matches, --processes and --moves-per-second must be above 0")
    if arguments.url:
        check_loopback(arguments.url)
    try:
        outcome = asyncio.run(_until_told(_run(arguments)))
    except StoreError as error:
        raise CommandError(str(error)) from error
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if arguments.json:
        print_json(outcome)
    else:
        _show(outcome)
    return 1 if outcome.forfeits or outcome.errors else 0


def check_loopback(url: str) -> None:
    """Raise CommandError unless the URL leads to this machine itself."""
    host = urlsplit(url).hostname or ""
    try:
        found = {info[4][0] for info in socket.getaddrinfo(host, None)}
    except OSError as error:
        raise CommandError(f"cannot find the host of {url}: {error}") from None
    if not all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in found):
        raise CommandError(f"{host} is not a loopback address; load tests are allowed only on this machine")


async def _until_told(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Do the work; SIGTERM cancels it, so that the clients and the server end as well, even one that just begins."""
    task = asyncio.ensure_future(work)
    with contextlib.suppress(NotImplementedError):  # Windows has no such signal
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


async def _run(arguments: argparse.Namespace) -> Outcome:
    async with contextlib.AsyncExitStack() as stack:
        if arguments.serve and arguments.data is None and not arguments.database_url:
            arguments.data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-load-")))
        url, pid = arguments.url, arguments.pid
        database = founded(arguments) if arguments.serve else database_url(arguments)
        tables = await register(database, arguments.prefix, arguments.matches, existing=not arguments.serve)
        if arguments.serve:
            with _server_alone(arguments.server_core):
                url, pid = await stack.enter_async_context(serving(_server_options(arguments)))
        before = await _settled(pid)
        clients = [await stack.enter_async_context(_client(job)) for job in jobs(arguments, url.rstrip("/"), tables)]
        async with asyncio.timeout(READY):
            await asyncio.gather(*(_expect(client, "ready") for client in clients))
        return await _measure(arguments, clients, pid, before)


@contextlib.contextmanager
def _server_alone(core: int | None) -> Iterator[None]:
    """Let processes that start meanwhile run on one core alone, and those that start later on the others."""
    if core is None:
        yield
        return
    cores = os.sched_getaffinity(0)
    if core not in cores or len(cores) == 1:
        raise CommandError(f"--server-core {core}: this machine lets the command use the cores {sorted(cores)}")
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores - {core})


async def _settled(pid: int | None) -> Usage | None:
    """Return the server's memory after loading, once it stops growing."""
    usage = _usage(pid)
    for _ in range(SETTLING):
        await asyncio.sleep(1.0)
        earlier, usage = usage, _usage(pid)
        if earlier is None or usage is None or usage.bytes <= earlier.bytes:
            break
    return usage


async def _measure(
    arguments: argparse.Namespace, clients: Sequence[Process], pid: int | None, before: Usage | None
) -> Outcome:
    loop = asyncio.get_running_loop()
    began, begin = loop.time(), _usage(pid)
    _tell(clients)
    await asyncio.sleep(arguments.seconds)
    _tell(clients)
    seconds, end = loop.time() - began, _usage(pid)
    total = LoadCounts()
    for client in clients:
        assert client.stdout is not None
        line = await client.stdout.readline()
        if not line:
            raise CommandError("a process of clients died")
        total.add(msgspec.json.decode(line, type=LoadCounts))
    busy = end.cpu - begin.cpu if begin and end else None
    return Outcome(
        matches=arguments.matches,
        seconds=seconds,
        moves=total.moves,
        moves_per_second=total.moves / seconds,
        relay=_milliseconds(total.relay),
        accepted=_milliseconds(total.accepted),
        watched=_milliseconds(total.watched),
        everybody=_milliseconds(total.everybody),
        endings=total.endings,
        forfeits=sum(number for termination, number in total.endings.items() if termination not in _USUAL),
        errors=total.errors,
        reconnects=total.reconnects,
        stalls=total.stalls,
        frames_per_second=total.frames / seconds,
        server_cpu_per_move=busy * 1e6 / total.moves if busy is not None and total.moves else None,
        server_cpu=busy / seconds if busy is not None else None,
        server_bytes_before=before.bytes if before else None,
        server_bytes_after=end.bytes if end else None,
    )


# ---------------------------------------------------------------- the participants


async def register(url: str, prefix: str, matches: int, *, existing: bool = False) -> list[tuple[LoadBot, LoadBot]]:
    """Give two bots for each match a token, registering those that are not there yet."""
    async with await Store.open(url, existing=existing) as store:

        async def side(name: str) -> LoadBot:
            token = make_token()
            try:
                await store.bots.add(name, hash_token(token), description="plays random moves to put load on the arena")
            except NameTaken:
                await store.bots.rotate(name, hash_token(token))
            return LoadBot(name, token)

        names = [f"{prefix}-{number}-{letter}" for number in range(matches) for letter in "ab"]
        sides = await asyncio.gather(*map(side, names))
        registered = {"prefix": prefix, "bots": len(names)}
        await store.audit_log.complete(by_this_process("arena load", registered))
    return list(zip(sides[::2], sides[1::2], strict=True))


def jobs(arguments: argparse.Namespace, url: str, tables: list[tuple[LoadBot, LoadBot]]) -> list[Job]:
    """Share the work out to processes: the players' by tables, and one for the spectators and idle sockets."""
    sockets = "ws" + url.removeprefix("http")
    made: list[Job] = [
        PlayersJob(
            urls=[sockets + PLAY_PATH],
            game=arguments.game,
            rate=arguments.moves_per_second,
            tables=tables[number :: arguments.processes],
            rated=not arguments.unrated,
            stamped=arguments.spectators > 0,
        )
        for number in range(min(arguments.processes, len(tables)))
    ]
    if arguments.spectators or arguments.idle:
        watched = max(1, min(arguments.watched, arguments.matches))
        listed = f"{url}/api/v1/matches?status=live&game={arguments.game}&limit={min(watched, 200)}"
        made.append(WatchersJob([sockets + WATCH_PATH], listed, arguments.spectators, watched, arguments.idle))
    return made


_ONE_ADDRESS = (
    "--silent-connections-each=1000", "--silent-rate=100000", "--http-connections-each=2000",
    "--connection-rate=100000",
)  # fmt: skip
"""All players and spectators come from this machine, and open all their connections at once."""


def _server_options(arguments: argparse.Namespace) -> list[str]:
    place = ["--database-url", arguments.database_url] if arguments.database_url else ["--data", str(arguments.data)]
    room = 2 * arguments.matches + 100, arguments.spectators + arguments.idle + 100
    return [
        *place,
        f"--games={arguments.game}",
        "--ladder=no",
        f"--max-connections={room[0]}",
        f"--max-spectators={room[1]}",
        f"--spectators-each={room[1]}",
        *_ONE_ADDRESS,
        "--info-release=live",  # spectators read in it when a move was sent
        "--log-level=warning",
    ]


# ---------------------------------------------------------------- processes


@contextlib.asynccontextmanager
async def serving(options: Sequence[str]) -> AsyncIterator[tuple[str, int]]:
    """Run an arena on a free port; yield its address and process id once it is ready to play."""
    words = ["serve", "--json", "--no-browser", "--no-built-in-bots", "--port", "0"]
    command = child.command("arena.cli", *words, *options)
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, pass_fds=child.pass_fds())
    async with _ending(process, process.terminate):
        assert process.stdout is not None
        line = await process.stdout.readline()
        if not line:
            raise CommandError("the arena could not be started")
        url = json.loads(line)["url"]
        async with asyncio.timeout(READY):
            await _ready(url)
        yield url, process.pid


async def _ready(url: str) -> None:
    rest = RestClient(url)
    while True:
        if (await asyncio.to_thread(rest.get, "/status"))["ready"]:
            return
        await asyncio.sleep(0.2)


@contextlib.asynccontextmanager
async def _client(job: Job) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        *child.command("lab.load"), stdin=PIPE, stdout=PIPE, limit=1 << 24, pass_fds=child.pass_fds()
    )
    async with _ending(process, process.terminate):
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(job) + b"\n")
        await process.stdin.drain()
        yield process


@contextlib.asynccontextmanager
async def _ending(process: Process, end: Callable[[], None]) -> AsyncIterator[None]:
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            end()
        try:
            async with asyncio.timeout(10):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _expect(client: Process, word: str) -> None:
    assert client.stdout is not None
    line = (await client.stdout.readline()).decode().strip()
    if line != word:
        raise CommandError(f"a process of clients did not get {word}")


def _tell(clients: Sequence[Process]) -> None:
    """Bring all clients to the next stage of their job."""
    for client in clients:
        assert client.stdin is not None
        client.stdin.write(b"next\n")


def _usage(pid: int | None) -> Usage | None:
    return None if pid is None else usage_of(pid)


# ---------------------------------------------------------------- the output


def _milliseconds(latencies: Latencies) -> dict[str, float | None]:
    found = {f"{percent:g}": latencies.percentile(percent) for percent in PERCENTILES}
    found["max"] = latencies.largest if latencies.count else None
    return {name: None if seconds is None else round(seconds * 1000, 3) for name, seconds in found.items()}


def _show(outcome: Outcome) -> None:
    say(
        f"{outcome.matches:,} matches for {outcome.seconds:.0f} s: {outcome.moves:,} moves, "
        f"{outcome.moves_per_second:,.0f} a second; {outcome.frames_per_second:,.0f} frames a second received"
    )
    rows = [
        (name, *latencies.values())
        for name, latencies in (
            ("opponent asked", outcome.relay),
            ("acknowledged", outcome.accepted),
            ("seen by a spectator", outcome.watched),
            ("seen by all of them", outcome.everybody),
        )
    ]
    print_table(("from a move sent until, in ms", *(f"{percent:g} %" for percent in PERCENTILES), "all"), rows)
    endings = ", ".join(f"{number:,} {name}" for name, number in sorted(outcome.endings.items())) or "none"
    errors = ", ".join(f"{number:,} {name}" for name, number in sorted(outcome.errors.items())) or "none"
    say(f"Matches ended: {endings}. Forfeits: {outcome.forfeits:,}. Errors: {errors}.")
    say(f"Connections lost: {outcome.reconnects:,}. Matches that stalled: {outcome.stalls:,}.")
    if outcome.server_cpu is not None and outcome.server_cpu_per_move is not None:
        say(
            f"The server kept {outcome.server_cpu:.2f} processors busy, "
            f"{outcome.server_cpu_per_move:,.0f} µs for each move."
        )
    if outcome.server_bytes_before is not None and outcome.server_bytes_after is not None:
        megabytes = outcome.server_bytes_before / 1e6, outcome.server_bytes_after / 1e6
        say(f"Its memory: {megabytes[0]:,.0f} MB before the clients came, {megabytes[1]:,.0f} MB after.")
