# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of tournaments of every format, killed in the middle."""

import asyncio
from collections import Counter
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from websockets.exceptions import WebSocketException

from arena.store import Store
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.gauntlet import Gauntlet
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.formats.swiss import Swiss
from engine.match.ending import SCORES
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server
from tests.web.players import Message, connected

KILLS = 20
"""In the middle of each format."""

GAME = "tictactoe"
NAMES = ("anna", "bert", "cleo", "dora", "emil")
OPTIONS = (
    "--no-built-in-bots", "--games", GAME, "--time-controls", f"{GAME}=60+1", "--ladder", "no", "--log-level",
    "warning",
)  # fmt: skip
FORMATS: dict[str, tuple[AnyFormat, int, int]] = {
    "round robin": (RoundRobin(2), 5, 2),
    "swiss": (Swiss(4), 5, 2),
    "knockout": (Knockout(third_place=True), 5, 4),
    "gauntlet": (Gauntlet(1, 2), 5, 2),
    "sprt": (SprtMatch(elo0=0, elo1=20, pairs=12), 2, 2),
    "ladder": (Ladder(misordered=0.01, pairings=12), 5, 2),
}
"""With the number of players, and the games whenever two meet."""

CAPACITY = 12
PACE = 0.01
"""Seconds that a bot thinks."""

PLAYED = 3.0
"""Seconds in which the moment of a kill is drawn."""

PATIENCE = 300.0


async def prove_tournaments(ledger: Ledger) -> None:
    """Tournaments of every format, killed in the middle

    A server that is killed with -9 loses nothing of a tournament, whatever its format. Bots on real sockets, whose
    moves follow from the position alone, play tournaments of all six formats at once. The server is killed in the
    middle of them, again and again. Each tournament continues where it was, ends, and has the same games, results and
    standings as a second one with the same configuration and seed, which nothing disturbs. The points in the standings
    are the sums of the results in the records.
    """
    async with ledger.serving(*OPTIONS) as server:
        tokens = await server.register(*NAMES)
        bots = [asyncio.create_task(_play(server, name, token)) for name, token in tokens.items()]
        try:
            held, kills = await _disturbed(server, ledger.times(KILLS))
            games = 0
            for number, config in held.items():
                disturbed = await _finished(server, number)
                games += await _check(server, disturbed)
                twin = await _finished(server, await enter(server, config))
                assert _outcome(disturbed) == _outcome(twin), (config.format, config.seed)
        finally:
            for bot in bots:
                bot.cancel()
            await asyncio.gather(*bots, return_exceptions=True)
    ledger.note_counts("kills in the middle of", dict(kills))
    ledger.note_counts("tournaments held", dict(Counter(config.format.title for config in held.values())))
    ledger.note("games of these", games)
    ledger.note("tournaments that differ from their undisturbed twins", 0)


async def _disturbed(server: Server, wanted: int) -> tuple[dict[int, Config], Counter[str]]:
    """Run tournaments of all formats at once, and kill the server in the middle of them at least this many times."""
    chance, kills = Random(wanted), Counter[str]()
    held: dict[int, Config] = {}
    under_way: dict[str, int] = {}
    while any(kills[kind] < wanted for kind in FORMATS):
        for kind, (form, players, games) in FORMATS.items():
            if kind not in under_way:
                config = _config(kind, form, players, games, seed=len(held))
                under_way[kind] = await enter(server, config)
                held[under_way[kind]] = config
        await asyncio.sleep(chance.random() * PLAYED)
        shown = {kind: await look(server, number) for kind, number in under_way.items()}
        await server.kill()
        for kind, view in shown.items():
            if view["status"] == "running" and view["rounds"]:
                kills[kind] += 1
            elif view["status"] == "finished":
                del under_way[kind]
        await server.start()
        await server.ready()
    return held, kills


def _config(kind: str, form: AnyFormat, players: int, games: int, seed: int) -> Config:
    entries = tuple(Entry(name) for name in NAMES[:players])
    config = Config(
        name=f"{kind} {seed}", game=GAME, format=form, entries=entries, games=games, seed=seed, patience=PATIENCE
    )
    check(config)
    return config


async def _finished(server: Server, number: int) -> dict[str, Any]:
    """Wait for the end of a tournament and return its view."""
    async with asyncio.timeout(PATIENCE):
        while (view := await look(server, number))["status"] != "finished":  # noqa: ASYNC110  # it is another process
            await asyncio.sleep(0.1)
    return view


async def _check(server: Server, view: dict[str, Any]) -> int:
    """Compare the standings with the sums of the matches' records; returns the number of matches."""
    names = view["entries"]
    matches = [match for match in await server.all(f"/matches?tournament={view['id']}") if match["result"] != "*"]
    table: dict[tuple[str, str], list[float]] = {}
    for match in matches:
        first, second = (player["name"] for player in match["players"])
        score = SCORES[match["result"]][0]
        table.setdefault((first, second), []).append(score)
        table.setdefault((second, first), []).append(1 - score)
    byes = [names[bout["first"]] for bouts in view["rounds"] for bout in bouts if bout["second"] is None]
    points = {
        name: sum(sum(scores) for (own, _), scores in table.items() if own == name) + view["games"] * byes.count(name)
        for name in names
    }
    assert {line["name"]: line["points"] for line in view["standings"]} == points
    assert len(matches) == view["played"]
    assert _crosstable(view) == {pair: (sum(scores), len(scores)) for pair, scores in table.items()}
    kind = view["format"]["kind"]
    if kind in ("round-robin", "gauntlet", "swiss"):
        for line in view["standings"]:
            _check_tiebreaks(view, line, points, table, byes)
        keys = [(line["points"], *line["tiebreaks"]) for line in view["standings"]]
        assert keys == sorted(keys, reverse=True)
        assert [line["rank"] for line in view["standings"]] == [1 + keys.index(key) for key in keys]
    return len(matches)


def _crosstable(view: dict[str, Any]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return what each scored against each, and in how many games, as the page sums it up."""
    names, found = view["entries"], Counter[tuple[str, str]]()
    games = Counter[tuple[str, str]]()
    for bout in (bout for bouts in view["rounds"] for bout in bouts if bout["second"] is not None):
        one, other = names[bout["first"]], names[bout["second"]]
        for game in bout["games"]:
            found[one, other] += game["score"]
            found[other, one] += game["score_second"]
            games[one, other] += 1
            games[other, one] += 1
    return {pair: (found[pair], games[pair]) for pair in games}


def _check_tiebreaks(
    view: dict[str, Any],
    line: dict[str, Any],
    points: dict[str, float],
    table: dict[tuple[str, str], list[float]],
    byes: list[str],
) -> None:
    """Compute a line's sums over opponents anew; in a round without a game a player is its own opponent."""
    own = line["name"]
    told = dict(zip(view["tiebreaks"], line["tiebreaks"], strict=True))
    met = {other: scores for (name, other), scores in table.items() if name == own}
    if view["format"]["kind"] == "swiss":
        sums = sorted([*(points[other] for other in met), *[points[own]] * byes.count(own)])
        assert told["Buchholz"] == sum(sums)
        assert told["Buchholz cut 1"] == sum(sums[1:])
    berger = sum(points[other] * sum(scores) / view["games"] for other, scores in met.items())
    assert abs(told["Sonneborn-Berger"] - berger - points[own] * byes.count(own)) < 1e-9
    assert told["wins"] == sum(score == 1 for scores in met.values() for score in scores) == line["wins"]


def _outcome(view: dict[str, Any]) -> Any:
    """Return the results that a disturbance must not change."""
    standings = [[line["rank"], line["name"], line["points"], line["tiebreaks"]] for line in view["standings"]]
    bouts = [
        [bout["first"], bout["second"], [[game["slot"], game["score"]] for game in bout["games"]]]
        for bouts in view["rounds"]
        for bout in bouts
    ]
    return standings, bouts, view["over"], view["test"]


async def _play(server: Server, name: str, token: str) -> None:
    """Play until cancelled, always alike, connecting again whenever the connection is lost."""
    while True:
        try:
            async with connected(server.play_url) as bot:
                await bot.hello(token, [GAME], capacity=CAPACITY, ladder=False)
                while True:
                    message = await bot.hear()
                    if message["type"] == "turn":
                        await asyncio.sleep(PACE)
                        await bot.move(message, _move_of(name, message))
        except (OSError, WebSocketException):
            await asyncio.sleep(0.1)


def _move_of(name: str, turn: Message) -> str:
    """Choose by name and position alone."""
    moves: list[str] = turn["legal_moves"]
    return moves[sha256(f"{name}/{turn['position']}".encode()).digest()[0] % len(moves)]


# ---------------------------------------------------------------- tournaments of a server


async def enter(server: Server, config: Config) -> int:
    """Record a tournament and start it; returns its number."""
    async with await Store.open(server.database) as store:
        row = await store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        await store.tournaments.become(row.id, "running")
        return row.id


async def look(server: Server, number: int) -> dict[str, Any]:
    """Return the view of a tournament."""
    answer: dict[str, Any] = await server.get(f"/api/v1/tournaments/{number}")
    return answer
