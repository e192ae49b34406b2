# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments over peers in this process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import structs

from arena.application import Arena
from arena.protocol.watching import FollowTournament, UnfollowTournament
from arena.store.rows import TournamentStatus
from arena.tournaments.book import Book
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.events import decode_event
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.gauntlet import Gauntlet
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.formats.swiss import Swiss
from arena.tournaments.machine.tournament import Tournament
from arena.tournaments.view import TournamentView, public
from arena.watching.broadcast import MOST_FOLLOWED
from engine.formats.suite import Opening
from tests.arena.conftest import OpenArena
from tests.arena.peers import PATIENCE, Chooser, Peer, first_move, seat, until
from tests.arena.watching.test_broadcast import Viewer

NAMES = ("anna", "bert", "cleo", "dora")


async def create(arena: Arena, form: AnyFormat, names: Sequence[str] = NAMES, **more: Any) -> int:
    """Record a tournament and start it."""
    entries = tuple(Entry(name) for name in names)
    config = Config(name="Cup", game="tictactoe", format=form, entries=entries, **more)
    check(config)
    row = await arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
    await become(arena, row.id, "running")
    return row.id


async def become(arena: Arena, number: int, status: TournamentStatus) -> None:
    """Let it stand like that."""
    await arena.store.tournaments.become(number, status)
    arena.tournaments.look()


@contextlib.asynccontextmanager
async def playing(
    arena: Arena,
    names: Sequence[str] = NAMES,
    game: str = "tictactoe",
    *,
    alike: bool = False,
    begin: asyncio.Event | None = None,
) -> AsyncIterator[dict[str, Peer]]:
    """Seat bots that play for ever, each with its own way to choose, or all ``alike``: then the first player wins.

    ``begin``: they make no move before it is set.
    """
    peers = {name: await seat(arena, name, [game], capacity=4) for name in names}
    choosers = [chooser(0 if alike else place) for place in range(len(names))]

    async def play(peer: Peer, choose: Chooser) -> None:
        if begin is not None:
            await begin.wait()
        await peer.play(choose, matches=10_000)

    tasks = [asyncio.create_task(play(peer, choose)) for choose, peer in zip(choosers, peers.values(), strict=True)]
    try:
        yield peers
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def chooser(place: int) -> Any:
    """Return a way to choose that is always the same, and another for each place."""

    def choose(turn: dict[str, Any]) -> str:
        moves: list[str] = turn["legal_moves"]
        return moves[(place * 3 + turn["ply"]) % len(moves)] if place else first_move(turn)

    return choose


async def over(arena: Arena, number: int) -> TournamentView:
    """Wait for its end and return how it stands."""
    shown = await arena.tournaments.view(number)

    async def ended() -> bool:
        nonlocal shown
        shown = await arena.tournaments.view(number)
        return shown.status in ("finished", "cancelled")

    await eventually(ended)
    return shown


async def eventually(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait for what the store tells."""
    async with asyncio.timeout(PATIENCE):
        while not await condition():  # noqa: ASYNC110  # the store has no event
            await asyncio.sleep(0.02)


FORMATS: dict[str, tuple[AnyFormat, int, dict[str, Any]]] = {
    "round robin": (RoundRobin(), 4, {"games": 2}),
    "swiss": (Swiss(2), 4, {"games": 1}),
    "knockout": (Knockout(third_place=True), 4, {"games": 2}),
    "gauntlet": (Gauntlet(), 4, {"games": 2}),
    "sprt": (SprtMatch(elo0=0, elo1=200, pairs=6), 2, {"games": 2}),
    "ladder": (Ladder(misordered=0.2, pairings=12), 4, {"games": 2}),
}


@pytest.mark.parametrize("kind", FORMATS)
async def test_every_format_is_held_to_its_end(open_arena: OpenArena, kind: str) -> None:
    form, players, more = FORMATS[kind]
    arena = await open_arena()
    async with playing(arena, NAMES[:players]):
        number = await create(arena, form, NAMES[:players], seed=5, **more)
        shown = await over(arena, number)
    assert shown.status == "finished"
    assert shown.over
    assert shown.due == 0
    rows = await arena.store.tournaments.matches(number)
    assert [row.kind for row in rows] == ["tournament"] * len(rows)
    assert shown.played == len(rows)
    # the standings by hand, from the records of the matches alone
    points = dict.fromkeys(NAMES[:players], 0.0)
    for row in rows:
        first = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[row.result or ""]
        points[row.players[0].bot] += first
        points[row.players[1].bot] += 1 - first
    byes = [bout.first for bouts in shown.rounds for bout in bouts if bout.second is None]
    assert not byes
    assert {line.name: line.points for line in shown.standings} == points
    # the stored events alone give the same
    config = msgspec.json.decode((await arena.store.tournaments.get(number)).config, type=Config)
    events = await arena.store.tournaments.events(number)
    assert Tournament.replay(config, map(decode_event, events)).over == shown.over


async def test_after_a_tied_knockout_pairing_the_better_seed_advances(open_arena: OpenArena) -> None:
    arena = await open_arena()
    async with playing(arena, alike=True):
        number = await create(arena, Knockout(third_place=True), games=2)
        shown = await over(arena, number)
    semifinals, finals = shown.rounds
    assert all(one == other for one, other in (bout.points for bout in (*semifinals, *finals)))
    assert [bout.winner for bout in semifinals] == [finals[0].first, finals[0].second] == [0, 1]
    assert [bout.winner for bout in finals] == [0, 2]


async def test_the_games_of_a_pair_share_an_opening_of_the_suite(open_arena: OpenArena) -> None:
    arena = await open_arena()
    openings = tuple(Opening(None, (square,)) for square in ("a1", "b2", "c3"))
    async with playing(arena):
        number = await create(arena, RoundRobin(), games=2, openings=openings)
        await over(arena, number)
    rows = {row.round: row for row in await arena.store.tournaments.matches(number)}
    for place in ("1.1", "1.2", "2.1", "2.2", "3.1", "3.2"):
        one, other = rows[f"{place}.1"], rows[f"{place}.2"]
        assert one.opening == other.opening
        assert (one.opening,) in [(opening.moves,) for opening in openings]
        assert [side.bot for side in one.players] == [side.bot for side in other.players][::-1]


async def test_followers_of_a_tournament_hear_of_every_change(open_arena: OpenArena) -> None:
    arena = await open_arena()
    viewer, begin = Viewer(arena), asyncio.Event()
    async with playing(arena, begin=begin):
        number = await create(arena, RoundRobin(), games=2, concurrency=1)
        viewer.say(FollowTournament(tournament=number))
        seen: list[TournamentView] = []
        while not seen or seen[-1].status != "finished":
            assert await viewer.next() == {"type": "tournament-changed", "tournament": number}
            seen.append(await arena.tournaments.view(number))
            games = [game for bouts in seen[-1].rounds for bout in bouts for game in bout.games]
            if any(game.status == "live" and game.match for game in games):
                begin.set()
    assert seen[-1].played == 12
    viewer.say(UnfollowTournament(tournament=number))
    while viewer.spectator.next_frame() is not None:  # of a change that came while the last one was read
        pass
    arena.broadcast.tournaments.changed(number)
    assert viewer.spectator.next_frame() is None
    for each in range(MOST_FOLLOWED + 1):
        viewer.say(FollowTournament(tournament=each + 1))
    assert (await viewer.next("refused"))["code"] == "too-many-messages"


async def test_paused_it_starts_nothing_and_goes_on_when_resumed(open_arena: OpenArena) -> None:
    arena, begin = await open_arena(), asyncio.Event()
    async with playing(arena, begin=begin):
        number = await create(arena, RoundRobin(2), games=2, concurrency=1)
        await until(lambda: bool(arena.live))
        await become(arena, number, "paused")
        await until(lambda: not arena.tournaments.games())
        begin.set()
        await until_played(arena, number, 1)
        await asyncio.sleep(0.3)  # the next game would start now
        assert len(await arena.store.tournaments.matches(number)) == 1
        assert (await arena.tournaments.view(number)).status == "paused"
        await become(arena, number, "running")
        assert (await over(arena, number)).played == 24


async def until_played(arena: Arena, number: int, games: int) -> None:
    """Wait until so many games have a result."""

    async def played() -> bool:
        return (await arena.tournaments.view(number)).played >= games

    await eventually(played)


async def test_cancelled_its_matches_are_void(open_arena: OpenArena) -> None:
    arena = await open_arena()
    for name in NAMES:
        await seat(arena, name, ["tictactoe"], capacity=4)
    number = await create(arena, RoundRobin(), games=2)
    await until(lambda: len(arena.live) == 4)
    await become(arena, number, "cancelled")
    await until(lambda: not arena.live)
    assert {row.result for row in await arena.store.tournaments.matches(number)} == {"*"}
    assert (await arena.tournaments.view(number)).status == "cancelled"


async def test_an_absent_player_is_withdrawn_and_the_others_play(open_arena: OpenArena) -> None:
    arena = await open_arena()
    async with playing(arena, NAMES[:3]):
        number = await create(arena, RoundRobin(), games=2, patience=0.5)
        shown = await over(arena, number)
    withdrawn = {line.name: line.withdrawn for line in shown.standings if line.withdrawn}
    assert withdrawn == {"dora": "did not connect within 0.5 s"}
    assert {row.players[seat].bot for row in await arena.store.tournaments.matches(number) for seat in (0, 1)} == set(
        NAMES[:3]
    )
    assert sum(game.status == "unplayed" for bouts in shown.rounds for bout in bouts for game in bout.games) == 6


async def test_the_view_names_an_absent_player_until_it_comes(open_arena: OpenArena) -> None:
    arena = await open_arena()
    async with playing(arena, NAMES[:3]):
        number = await create(arena, RoundRobin(), games=6, patience=10_000)
        await until_played(arena, number, 6)

        async def missed() -> bool:
            return [absent.name for absent in (await arena.tournaments.view(number)).absent] == ["dora"]

        await eventually(missed)
        shown = await arena.tournaments.view(number)
        (absent,) = shown.absent
        assert (absent.entry, absent.reason) == (3, None)
        assert absent.until - absent.since == pytest.approx(10_000)
        assert (shown.played, shown.due, shown.games_planned) == (6, 6, 36)
        assert shown.expected_end is not None
        assert public(structs.replace(shown, anonymous=True)).absent == ()
        async with playing(arena, NAMES[3:]):
            shown = await over(arena, number)
    assert (shown.absent, shown.expected_end, shown.played) == ((), None, 36)


async def test_several_tournaments_and_the_ladder_go_on_at_once(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder=True)
    async with playing(arena):
        numbers = [await create(arena, RoundRobin(), games=2), await create(arena, Swiss(3), games=2)]
        for number in numbers:
            assert (await over(arena, number)).status == "finished"

        async def laddered() -> bool:
            return any(row.kind == "ladder" for row in (await arena.store.matches.page("finished")).items)

        await eventually(laddered)


async def test_a_restart_goes_on_where_it_was(open_arena: OpenArena) -> None:
    arena = await open_arena()
    peers = [await seat(arena, name, ["tictactoe"], capacity=4) for name in NAMES[:2]]
    number = await create(arena, RoundRobin(), NAMES[:2], games=2)
    await until(lambda: len(arena.live) == 2)
    await arena.stop()
    again = await open_arena()
    tasks = []
    for place, peer in enumerate(peers):
        back = Peer(again)
        await back.hello(peer.token, ["tictactoe"], capacity=4)
        tasks.append(asyncio.create_task(back.play(chooser(place), matches=100)))
    shown = await over(again, number)
    for task in tasks:
        task.cancel()
    assert shown.played == 2
    assert len(await again.store.tournaments.matches(number)) == 2, "the matches went on"


async def test_two_servers_that_run_one_tournament_play_each_game_once(
    open_arena: OpenArena, database_url: str
) -> None:
    """One of them leads no more and does not know it yet. It finds each game live, and takes its result."""
    leader, stale = await open_arena(database_url), await open_arena(database_url)
    begin = asyncio.Event()

    async def play(peer: Peer, choose: Chooser) -> None:
        await begin.wait()
        await peer.play(choose, matches=100)

    async with playing(leader, NAMES[:2], begin=begin) as peers:
        tasks = []
        for place, peer in enumerate(peers.values()):
            double = Peer(stale)
            await double.hello(peer.token, ["tictactoe"], capacity=4)
            tasks.append(asyncio.create_task(play(double, chooser(place))))
        number = await create(leader, RoundRobin(), NAMES[:2], games=4)
        stale.tournaments.look()

        async def live_at_both() -> bool:
            shown = [await arena.tournaments.view(number) for arena in (leader, stale)]
            games = [[game.match for bouts in each.rounds for bout in bouts for game in bout.games] for each in shown]
            return games[0] == games[1] and None not in games[0] and len(games[0]) == 4

        await eventually(live_at_both)
        begin.set()
        shown = [await over(arena, number) for arena in (leader, stale)]
        for task in tasks:
            task.cancel()
    assert [each.played for each in shown] == [4, 4]
    assert sorted(str(row.round) for row in await leader.store.tournaments.matches(number)) == [
        f"1.1.{game}" for game in range(1, 5)
    ]


async def test_events_of_another_writer_are_followed(open_arena: OpenArena) -> None:
    """Another program withdraws a player behind the server's back."""
    arena = await open_arena()
    async with playing(arena, NAMES[:3]):
        number = await create(arena, RoundRobin(), games=2, patience=PATIENCE)
        await until_played(arena, number, 1)
        book = await Book.open(arena.store, number)
        await book.change(lambda tournament: tournament.withdraw(3, "ill"))
        shown = await over(arena, number)
    assert [line.withdrawn for line in shown.standings if line.withdrawn] == ["ill"]
