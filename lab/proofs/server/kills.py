# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of kills: of the server, also behind open pages and during a tournament, and of the built-in bots' process."""

import asyncio
import os
import shutil
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from arena.store import Store
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats.round_robin import RoundRobin
from engine.match.events import Moved, decode_event
from lab.proofs.clients import witnesses_play
from lab.proofs.ledger import Ledger, verified
from lab.proofs.players.tournaments import enter, look
from tests.browser.restarts import PAGES, killed
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until
from tools.chromium import installed

KILLS = 100
"""Over each kind of database."""

VERIFY_EVERY = 20
"""Kills."""

GAMES = ("tictactoe", "checkers")
OPTIONS = (
    "--no-built-in-bots", "--games", ",".join(GAMES), "--time-controls", "tictactoe=10+1,checkers=30+1",
    "--ladder-interval", "0.05", "--ladder-pause", "0", "--log-level", "warning",
    # at the end the records are asked for one by one, each over a new connection
    "--connection-rate", "100000",
)  # fmt: skip
PATIENCE = 90.0
"""Seconds until the matches that the last kill left are over."""

PLAYED = 0.8
"""Seconds after the first answer in which the moment of a kill is drawn."""


async def prove_kills(ledger: Ledger) -> None:
    """Server killed at random moments

    A server that is killed with -9 loses nothing that it acknowledged, whether it was starting, playing or stopping.
    Every acknowledged move and every reported end of a match is in the records right after the kill. After the next
    start a match continues from there, with its clocks, and each rated result counts once. The proof runs over SQLite
    and over PostgreSQL, with bots that share no code with the project.
    """
    ledger.postgres.sweep()
    for kind, database in (("SQLite", ""), ("PostgreSQL", ledger.postgres.url)):
        async with ledger.serving(*OPTIONS, name=kind.lower(), records=kind, database=database) as server:
            await _kill(ledger, kind, server)


async def _kill(ledger: Ledger, kind: str, server: Server) -> None:
    kills, random = ledger.times(KILLS), Random(kind)
    tokens = await server.register("anna", "bert", "cleo", "dora")
    witnesses = [Witness(name, token, GAMES, pace=0.005) for name, token in tokens.items()]
    await server.ready()
    moments: dict[str, int] = {}
    in_play = 0
    seen: list[int] = [0] * len(witnesses)
    async with witnesses_play(witnesses, lambda: server.play_url) as players:
        await until(players, lambda: moves(witnesses) > 0)
        for number in range(1, kills + 1):
            moment = random.choices(("playing", "starting", "stopping"), (8, 1, 1))[0]
            moments[moment] = moments.get(moment, 0) + 1
            await asyncio.sleep(random.random() * PLAYED)
            await _end(server, moment, random)
            await _check(server, witnesses, seen)
            in_play += bool({match for each in witnesses for match, _ in each.acknowledged} - ended(witnesses))
            await server.start()
            if number % VERIFY_EVERY == 0:
                answer = await verified(server.database)
                assert answer["clean"], answer
        live = {number for witness in witnesses for number, _ in witness.acknowledged} - ended(witnesses)
        await _finish(server, live)
    await compare(server, witnesses)
    ledger.note(f"{kind}: kills", kills)
    ledger.note_counts(f"{kind}: when", moments)
    ledger.note(f"{kind}: kills during live matches", in_play)
    ledger.note(f"{kind}: moves acknowledged, all found", moves(witnesses))
    ledger.note(f"{kind}: ends told, all found", len(ended(witnesses)))
    ledger.note(f"{kind}: matches that came back to their bots", len(set().union(*(w.resumed for w in witnesses))))


async def _end(server: Server, moment: str, random: Random) -> None:
    """Kill the server; one that shall be killed while it starts or stops begins to do so before."""
    if moment == "stopping":
        server.ask_to_stop()
        await asyncio.sleep(random.random() * 0.1)
    await server.kill()
    if moment == "starting":
        with suppress(TimeoutError):
            async with asyncio.timeout(0.2 + random.random() * server.started_in):
                await server.start()
        await server.kill()


async def _check(server: Server, witnesses: list[Witness], seen: list[int]) -> None:
    """Find everything in the records that was acknowledged since the last time; ``seen`` counts it by witness."""
    async with await Store.open(server.database) as store:
        for index, witness in enumerate(witnesses):
            new = list(witness.acknowledged.items())[seen[index] :]
            seen[index] += len(new)
            for match in {match for (match, _), _ in new}:
                stored = await store.matches.get(match)
                assert stored is not None, f"match {match} is gone"
                events = map(decode_event, (event.body for event in stored.events))
                kept = {event.ply - 1: event.move for event in events if isinstance(event, Moved)}
                for (number, ply), move in new:
                    assert number != match or kept.get(ply) == move, f"match {match} lost ply {ply}, {move}"
                over = witness.over.get(match)
                assert over is None or over["result"] == stored.row.result, over


async def _finish(server: Server, live: set[int]) -> None:
    """Wait until these matches are over; a bot that was cut off right at an end never hears of it."""
    async with asyncio.timeout(PATIENCE):
        for number in live:
            while (await server.get(f"/api/v1/matches/{number}"))["status"] == "live":  # noqa: ASYNC110  # no event here
                await asyncio.sleep(0.1)


# ---------------------------------------------------------------- open pages

PAGE_KILLS = 20


async def prove_restarts(ledger: Ledger) -> None:
    """Pages of live matches while the server is killed

    After the server of a live match is killed with -9 and started again, the page of the match continues by itself.
    Meanwhile it says that the connection is lost, and its clocks stand still. Then it shows the moves of the record and
    the moves that follow. A real browser shows two live matches at each kill.
    """
    folder, kills = ledger.place("server"), ledger.times(PAGE_KILLS)
    # in a thread of its own, since a test may have the loop of another browser in this one
    seen = await asyncio.to_thread(killed, folder, installed(), kills)
    ledger.note("kills", seen.kills)
    ledger.note("pages of live matches when the server was killed", seen.kills * PAGES)
    ledger.note("pages that went on with the moves of the record", seen.pages)
    await ledger.verify(f"sqlite:///{folder / 'arena.db'}")


# ---------------------------------------------------------------- the process of the built-in bots

PROCESS_KILLS = 20

PROCESS_PATIENCE = 120.0
FAULTS = ("time", "void", "crash", "bad message", "disconnect")
"""Terminations that no match may have."""
PROCESS_OPTIONS = (
    "--games", "tictactoe", "--time-controls", "tictactoe=120+10", "--built-in-move-time", "0.05",
    "--ladder-interval", "0.1", "--ladder-pause", "0", "--log-level", "warning",
)  # fmt: skip


async def prove_built_in(ledger: Ledger) -> None:
    """Process of the built-in bots killed repeatedly

    If the process of the built-in bots dies, the server starts it again, after a second if it had played for a while,
    and never so late that a bot loses a match by it. Its matches continue with their clocks, including those with other
    bots, as after any lost connection. No match is lost by the server's fault.
    """
    kills, away = ledger.times(PROCESS_KILLS), 0.0
    loop = asyncio.get_running_loop()
    async with ledger.serving(*PROCESS_OPTIONS) as server:
        tokens = await server.register("anna", "bert")
        witnesses = [Witness(name, token, ["tictactoe"], pace=0.05) for name, token in tokens.items()]
        async with witnesses_play(witnesses, lambda: server.play_url) as players:
            for _ in range(kills):
                played = await _played(server)
                goal = moves(witnesses) + 10
                await until(players, lambda: moves(witnesses) >= goal)  # noqa: B023  # it is called right here
                process = await process_of(server)
                os.kill(process, signal.SIGKILL)
                began = loop.time()
                assert await process_of(server, but=process) != process
                async with asyncio.timeout(PROCESS_PATIENCE):
                    while await _played(server) < played + 4:  # noqa: ASYNC110  # it happens in another process
                        await asyncio.sleep(0.1)
                away = max(away, loop.time() - began)
            goal = moves(witnesses) + 10
            await until(players, lambda: moves(witnesses) >= goal)
            finished = await server.all("/matches?status=finished&limit=500")
    endings = Counter(match["termination"] for match in finished)
    faults = [match for match in finished if match["termination"] in FAULTS]
    assert not faults, faults
    ledger.note("kills", kills)
    ledger.note("longest time from a kill until four more matches were played, in seconds", away)
    ledger.note("moves of bots from outside meanwhile", moves(witnesses))
    ledger.note("their matches that ended", len(ended(witnesses)))
    ledger.note_counts("how matches ended", endings)


async def _played(server: Server) -> int:
    """Return how many matches have ended."""
    return len(await server.all("/matches?status=finished&limit=500"))


async def process_of(server: Server, but: int = 0) -> int:
    """Return the process of the built-in bots, once there is one (another than ``but``)."""
    async with asyncio.timeout(PROCESS_PATIENCE):
        while True:
            for child in _children(server.pid):
                if child != but:
                    return child
            await asyncio.sleep(0.05)


def _children(pid: int) -> list[int]:
    """Return a process's children that run built-in bots."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(FileNotFoundError):
            if b"bots.built_in" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found


# ---------------------------------------------------------------- a tournament and a full ladder

RESTARTS = 10
COLD = 2
"""Restarts after which everything is compiled again."""
CYCLES = 8
"""Times that each meets each in the tournament."""

LADDER = 6
"""Matches that the ladder keeps going."""
TOURNAMENT = 2
"""Games of the tournament at once."""
PLAYERS = ("random", "minimax-2", "alphabeta-4", "play-1k")
GAME = "tictactoe"
GRACE = 2.0
"""Seconds that a bot has to come back."""
HELD_UP = 5.0
"""Seconds for which the process of the built-in bots stands still after a restart."""
RESUMPTION_OPTIONS = (
    "--games", f"{GAME},nim", "--time-controls", f"{GAME}=60+5,nim=60+5", "--built-in-move-time", "0.4",
    "--built-in-matches", str(LADDER), "--ladder-interval", "0.1", "--ladder-pause", "0", "--reconnect-grace",
    str(GRACE),
    "--breeding", "none", "--log-level", "warning",
)  # fmt: skip

RESUMPTION_PATIENCE = 1800.0
"""Seconds until a match that a restart left must be over: compiling may take long."""


async def prove_resumption(ledger: Ledger) -> None:
    """Restarts during a tournament and a full ladder

    A server is killed with -9 while built-in bots play a tournament and as many ladder matches as it allows. After the
    restart it continues all of them: no match is void, however long the bots need until they are ready. Once they are
    ready, they have two seconds to reconnect. After each restart their process is suspended for longer than that; after
    some restarts all compiled code is gone; and some restarts come before the bots are ready. The tournament ends with
    all its games played.
    """
    restarts, cold = ledger.times(RESTARTS), ledger.times(COLD, least=0)
    kernels = ledger.place("kernels")
    environment = {"NUMBA_CACHE_DIR": str(kernels)} if cold else {}
    async with ledger.serving(*RESUMPTION_OPTIONS, environment=environment) as server:
        tournament = await _create(server, ledger.times(CYCLES))
        left, longest = 0, 0.0
        for number in range(restarts):
            going = await _under_way(server)
            left += len(going)
            await server.kill()
            if number < cold:
                _empty(kernels)
            await server.start()
            if number % 3 == 2:
                # once more, while it gets ready
                await asyncio.sleep(number / 2)
                await server.kill()
                await server.start()
            await _hold_up(server)
            longest = max(longest, await _over(server, going))
        async with asyncio.timeout(RESUMPTION_PATIENCE):
            while (await look(server, tournament))["status"] != "finished":  # noqa: ASYNC110  # another process
                await asyncio.sleep(0.2)
        view = await look(server, tournament)
        matches = await server.all("/matches?status=finished")
    endings = Counter(match["termination"] for match in matches)
    void = [(match["id"], match["detail"]) for match in matches if match["termination"] == "void"]
    assert not void, void
    games = [game for bouts in view["rounds"] for bout in bouts for game in bout["games"]]
    assert len(games) == view["played"]
    ledger.note("restarts", restarts)
    ledger.note("of these without any compiled code", cold)
    ledger.note("matches that they left under way", left)
    ledger.note("longest time from a restart until all resumed matches were over, in seconds", longest)
    ledger.note("games of the tournament", len(games))
    ledger.note("void matches", len(void))
    ledger.note_counts("how matches ended", endings)


async def _hold_up(server: Server) -> None:
    """Let the process of the built-in bots stand still for a while."""
    process = await process_of(server)
    os.kill(process, signal.SIGSTOP)
    await asyncio.sleep(HELD_UP)
    os.kill(process, signal.SIGCONT)


async def _create(server: Server, cycles: int) -> int:
    """Record a tournament of built-in bots and start it, as another program would."""
    config = Config(
        name="built-in bots",
        game=GAME,
        format=RoundRobin(cycles),
        entries=tuple(Entry(name) for name in PLAYERS),
        concurrency=TOURNAMENT,
    )
    check(config)
    return await enter(server, config)


async def _under_way(server: Server) -> set[int]:
    """Wait until the ladder is full and the tournament has live matches; return the matches."""
    async with asyncio.timeout(RESUMPTION_PATIENCE):
        while True:
            matches = await server.all("/matches?status=live")
            kinds = Counter(match["kind"] for match in matches)
            if kinds["ladder"] >= LADDER - TOURNAMENT and (kinds["tournament"] or not await _due(server)):
                return {match["id"] for match in matches}
            await asyncio.sleep(0.05)


async def _due(server: Server) -> bool:
    """Tell whether the tournament has games to play."""
    items = (await server.get("/api/v1/tournaments"))["items"]
    return any(item["status"] == "running" for item in items)


async def _over(server: Server, matches: set[int]) -> float:
    """Wait until all of these are over, and return how long that took."""
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout(RESUMPTION_PATIENCE):
        while matches & {match["id"] for match in await server.all("/matches?status=live")}:  # noqa: ASYNC110  # another process
            await asyncio.sleep(0.2)
    return asyncio.get_running_loop().time() - began


def _empty(folder: Path) -> None:
    """Drop all compiled code."""
    shutil.rmtree(folder)
    folder.mkdir()
