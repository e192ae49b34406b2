# SPDX-License-Identifier: GPL-3.0-or-later
"""All attackers in one process of low priority, because real attackers have machines of their own.

``python -m lab.proofs.attacks.attackers`` reads a Field as one JSON line, attacks until its standard input ends or
``MOST_SECONDS`` have passed, and then prints what each attack came to, as JSON: counts, by attack.
"""

import asyncio
import contextlib
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import msgspec
from msgspec import Struct

from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from lab.processes import started
from lab.proofs.attacks import slow_peers
from lab.proofs.attacks.abusive_bots import Evader, Farmers, InfoSpammer, SeatHog
from lab.proofs.attacks.peepers import peeping_around
from lab.proofs.attacks.pumps import PUMPS, pumping
from lab.proofs.attacks.slow_peers import HALF, NOTHING, WHOLE

MOST_SECONDS = 900.0

SILENT, GUESSER = "127.0.2.1", "127.0.2.2"
"""Addresses of strangers. Each flood has an address of its own; slow readers and the owners of bots share that of the
honest bots.
"""

CROWD = 200
"""Connections of each kind that say nothing."""

SOCKETS = 2
"""Of each pump."""
RATE = 1_300_000.0
"""Bytes a second of each pump, at most."""

AGAIN = 0.2
"""Seconds until an attacker continues after an error."""

PEEP = "read what the players of live matches report"
FLOODS = tuple(f"flood: {name}" for name in PUMPS)

Counts = Counter[str]


class Field(Struct, frozen=True):
    """The target, and the names of the attacks."""

    port: int
    attacks: list[str]
    tokens: dict[str, str] = {}
    """Of the attackers' own bots, by name."""
    game: str = "tictactoe"
    large: list[int] = []
    """Numbers of matches with a large record."""

    @property
    def play_url(self) -> str:
        """Where bots connect."""
        return f"ws://127.0.0.1:{self.port}/api/v1/play"


Attack = Callable[[Field, Counts], Awaitable[None]]
"""Attacks until it is cancelled, and counts."""


def _flood(name: str) -> Attack:
    address = f"127.0.1.{list(PUMPS).index(name) + 1}"

    async def flood(field: Field, counts: Counts) -> None:
        async with pumping(field.port, name, SOCKETS, RATE, address) as pumped:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        counts.update({"connections": pumped.connections, "bytes sent": pumped.sent})
        raise asyncio.CancelledError

    return flood


async def _do_not_read(field: Field, counts: Counts) -> None:
    paths = [f"/api/v1/matches/{number}{rest}" for number in field.large for rest in ("", "/export?format=jsonl")]
    paths += ["/api/v1/matches/export?format=jsonl&game=chess", "/static/0123456789abcdef/vendor/uplot.js", "/"]
    async with asyncio.TaskGroup() as group:
        for path in paths:
            for _ in range(4):
                group.create_task(slow_peers.not_reading(field.port, path, counts))
        group.create_task(slow_peers.not_reading_socket(field.port, counts, [{"type": "follow-lobby"}]))


async def _post_bombs(field: Field, counts: Counts) -> None:
    body = slow_peers.gzipped(60)
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip", "Authorization": "Bearer nobody"}
    await asyncio.gather(
        *(slow_peers.posting(field.port, "/api/v1/tournaments", counts, body, headers) for _ in range(4))
    )


async def _evade(field: Field, counts: Counts) -> None:
    evader = Evader(field.play_url, field.tokens["evader"], field.game)
    try:
        await evader.run()
    finally:
        counts.update({"first matches left": len(evader.left), "second matches played": len(evader.owed)})


async def _say_nothing(field: Field, counts: Counts) -> None:
    await asyncio.gather(
        *(slow_peers.silent_sockets(field.port, path, counts, CROWD, SILENT) for path in (PLAY_PATH, WATCH_PATH)),
        *(slow_peers.idle_requests(field.port, counts, CROWD, said, SILENT) for said in (NOTHING, HALF, WHOLE)),
    )


async def _guess_tokens(field: Field, counts: Counts) -> None:
    await slow_peers.unknown_tokens(field.port, counts, address=GUESSER)


async def _come_and_go(field: Field, counts: Counts) -> None:
    await slow_peers.reconnecting(field.port, field.tokens["comer"], counts)


async def _report_much(field: Field, counts: Counts) -> None:
    tokens = {name: field.tokens[name] for name in SPAMMERS}
    spammer = InfoSpammer(field.play_url, tokens, "chess", matches=2, pause=0.02)
    try:
        await spammer.run()
    finally:
        counts.update({"moves with 62 kB of search info": spammer.moves})


async def _never_move(field: Field, counts: Counts) -> None:
    hog = SeatHog(field.play_url, field.tokens["hog"], field.game, ladder=True)
    try:
        await hog.run()
    finally:
        counts.update({"matches held at the end": len(hog.held)})


async def _farm(field: Field, counts: Counts) -> None:
    farmers = Farmers(field.play_url, {name: field.tokens[name] for name in FARMERS}, field.game)
    try:
        await farmers.run()
    finally:
        counts.update({"rated matches resigned": farmers.matches, "versions": len(farmers.versions)})
        counts.update(farmers.refused)


async def _peep(field: Field, counts: Counts) -> None:
    await peeping_around(f"http://127.0.0.1:{field.port}", counts)


SPAMMERS = ("spammer-1", "spammer-2")
"""Two bots that play each other."""
FARMERS = ("winner", "loser")
"""The second resigns to the first."""

ATTACKS: Mapping[str, Attack] = {
    **{f"flood: {name}": _flood(name) for name in PUMPS},
    "request much and read nothing": _do_not_read,
    "post compressed bodies without a token": _post_bombs,
    "leave between the matches of a pair": _evade,
    "open sockets and connections and say nothing": _say_nothing,
    "say hello with unknown tokens": _guess_tokens,
    "connect with one token again and again": _come_and_go,
    "report as much search info as the protocol takes": _report_much,
    "resign rated challenges to an own bot under new versions": _farm,
    PEEP: _peep,
    "take part in the ladder and never move": _never_move,
}
"""The attacks, by description."""

BOTS = ("evader", "comer", "hog", *SPAMMERS, *FARMERS)
"""The attackers' own bots."""


@contextlib.asynccontextmanager
async def attacking(field: Field) -> AsyncIterator[dict[str, dict[str, int]]]:
    """Run the process at a low priority; the counts are filled in at the end."""
    async with started("lab.proofs.attacks.attackers", nice=10) as process:
        process.say(msgspec.json.encode(field))
        assert (await process.hear()).strip() == b"attacking"
        outcome: dict[str, dict[str, int]] = {}
        yield outcome
        outcome.update(json.loads(await process.finish()))


async def _keep_on(attack: Attack, field: Field, counts: Counts) -> None:
    """Attack again and again, whatever the arena does."""
    while True:
        try:
            await attack(field, counts)
        except Exception as error:
            counts[f"failed: {type(error).__name__}"] += 1
        await asyncio.sleep(AGAIN)


async def _attack(field: Field) -> None:
    outcome: dict[str, Counts] = {name: Counter() for name in field.attacks}
    tasks = [asyncio.create_task(_keep_on(ATTACKS[name], field, outcome[name])) for name in field.attacks]
    print("attacking", flush=True)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(MOST_SECONDS):
            await asyncio.to_thread(sys.stdin.readline)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    asyncio.run(_attack(msgspec.json.decode(sys.stdin.readline(), type=Field)))
