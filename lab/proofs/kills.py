# SPDX-License-Identifier: GPL-3.0-or-later
"""The server killed at random moments

A server that is killed with -9 loses nothing that it acknowledged, whether it was starting, playing or stopping. Every
move that a bot was told is accepted, and every end of a match, stands in the records at once after the kill; a match
goes on from there after the next start, with its clocks, and each rated result counts once. Proved over SQLite and over
PostgreSQL, with bots that know nothing of the project's code.
"""

import asyncio
from contextlib import suppress
from random import Random

from arena.store import Store
from engine.match import Moved, decode_event
from lab.proofs.ledger import Ledger, verified
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

KILLS = 100
"""Over each kind of database."""

VERIFY_EVERY = 20
"""Kills."""

GAMES = ("tictactoe", "checkers")
OPTIONS = (
    "--no-built-in-bots", "--games", ",".join(GAMES), "--time-controls", "tictactoe=10+1,checkers=30+1",
    "--ladder-interval", "0.05", "--ladder-pause", "0", "--log-level", "warning",
)  # fmt: skip
PATIENCE = 90.0
"""Seconds until the matches that the last kill left are over."""

PLAYED = 0.8
"""Seconds after the first answer in which the moment of a kill is drawn."""


async def prove(ledger: Ledger) -> None:
    """Kill over both kinds of database."""
    place = ledger.place("sqlite")
    await _kill(ledger, "SQLite", Server(place, *OPTIONS))
    ledger.postgres.sweep()
    place = ledger.place("postgresql")
    await _kill(ledger, "PostgreSQL", Server(place, *OPTIONS, database=ledger.postgres.url))


async def _kill(ledger: Ledger, kind: str, server: Server) -> None:
    kills, random = ledger.times(KILLS), Random(kind)
    tokens = await server.register("anna", "bert", "cleo", "dora")
    witnesses = [Witness(name, token, GAMES, pace=0.005) for name, token in tokens.items()]
    await server.start()
    await server.ready()
    players = [asyncio.create_task(witness.play(lambda: server.play_url)) for witness in witnesses]
    moments: dict[str, int] = {}
    in_play = 0
    seen: list[int] = [0] * len(witnesses)
    try:
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
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await compare(server, witnesses)
    finally:
        for player in players:
            player.cancel()
        await server.kill()
    ledger.note(f"{kind}: kills", kills)
    ledger.note_counts(f"{kind}: when", moments)
    ledger.note(f"{kind}: kills with matches going on", in_play)
    ledger.note(f"{kind}: moves acknowledged, all found", moves(witnesses))
    ledger.note(f"{kind}: ends told, all found", len(ended(witnesses)))
    ledger.note(f"{kind}: matches that came back to their bots", len(set().union(*(w.resumed for w in witnesses))))
    assert "Traceback" not in server.log, server.log[-3000:]
    await ledger.verify(server.database, kind)


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
