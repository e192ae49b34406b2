# SPDX-License-Identifier: GPL-3.0-or-later
"""The conductor: starts matches, resumes matches after a restart, and owns the task of each.

A rated pairing is a pair of consecutive matches, from the same opening with swapped colours. One transaction stores the
end of the first and the start of the second, so the second is always played, or forfeited by the absent side.
"""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from arena.connections.sessions import Entrant, Roster
from arena.hosting.processor_time import ProcessorTime
from arena.hosting.readiness import Hosting
from arena.ladder.daily import DailyMatches
from arena.ladder.rests import Rests, by_instructions
from arena.ladder.shares import BotAndOwner, Shares
from arena.matches import instructions, new_match
from arena.matches.elsewhere import Elsewhere
from arena.matches.new_match import PlannedMatch
from arena.matches.referee import Referee
from arena.matches.replay import plies, rebuild
from arena.matches.search_info import InfoBudgets
from arena.matches.sides import told_number, told_numbers
from arena.monitoring import Metrics
from arena.peers import FIRST_EPOCH, Peers
from arena.protocol.messages import Over
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store import Store
from arena.store.errors import StoreError, keep_trying
from arena.store.rows import FinishedMatch, MatchKind, MatchRow, NewMatch, StoredMatch
from arena.watching.broadcast import Broadcast
from arena.watching.live_view import LiveView
from engine.game import Game
from engine.match.ending import Ending
from engine.match.machine import Match
from engine.time_control import TimeControl

log = structlog.get_logger("arena.matches.conductor")


Exclusion = Callable[[int], str]
"""Returns why a bot, by its number, plays no rated matches now; "" if it plays them."""
Finish = Callable[[MatchRow, Ending], None]


class Unavailable(Exception):
    """A bot that was about to play has disconnected, or does not play that game any more."""


class Conductor:
    """Every match that goes on in this arena."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        roster: Roster,
        registry: GameRegistry,
        broadcast: Broadcast,
        metrics: Metrics,
        clock: Callable[[], float],
        hosting: Hosting,
        processor_time: ProcessorTime,
    ) -> None:
        """Start with no match; ``clock`` reads the steady clock that matches go by; ``hosting`` tells which built-in
        bots are getting ready; ``processor_time`` is that of hosted bots.
        """
        self._clock = clock
        self._hosting = hosting
        self._processor_time = processor_time
        self._store = store
        self._settings = settings
        self._roster = roster
        self._registry = registry
        self._broadcast = broadcast
        self._metrics = metrics
        self._infos = InfoBudgets(settings, metrics)
        self.expected = asyncio.Event()
        """Set once the matches that a restart left are known, so that their bots can be informed."""
        self.on_over: Callable[[], None] = lambda: None
        """Called when a match is over and its bots are free again."""
        self._referees: dict[int, Referee] = {}
        self._waiting: dict[int, MatchRow] = {}
        self.daily = DailyMatches(store, settings.owner_matches_per_day, time.time)
        """The number of matches of each owner within 24 hours."""
        self.shares = Shares(settings, self.daily.why_not)
        """The number of matches of each bot, which limits ladder and challenges."""
        self.rests = Rests(settings.ladder_pause)
        """When bots last played, and when they may be paired again."""
        self.elsewhere = Elsewhere(store, self.shares, self._count_day, self._over_elsewhere)
        """The matches that other servers referee, where this server leads them."""
        self.peers = Peers()
        """The other servers of the arena."""
        self.exclusions: list[Exclusion] = []
        """Callbacks of features: each returns why a bot plays no rated matches."""
        self.undecided: list[Callable[[], bool]] = []
        """Callbacks of features: each returns whether it does not know yet which bots play no rated matches."""
        self.on_finished: list[Finish] = []
        """Callbacks of features: called with each match that is over, and its end."""
        self._replays: Counter[int] = Counter()
        """By match, how often its game was void before because the arena was late."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    # ---------------------------------------------------------------- the players

    def referee(self, match: int) -> Referee | None:
        """Return the referee of a match that is going on."""
        return self._referees.get(match)

    @property
    def referees(self) -> list[Referee]:
        """The referees of all matches that this server referees."""
        return list(self._referees.values())

    def matches_of(self, bot_id: int) -> list[int]:
        """Return the numbers, as the bot knows them, of its matches that are going on, or wait for their game after a
        restart.
        """
        rows = [*self._waiting.values(), *self._rows()]
        return sorted(number for row in rows for number in told_numbers(row, bot_id))

    def _rows(self) -> Iterator[MatchRow]:
        """Yield the matches that are going on, here or at other servers."""
        yield from (referee.row for referee in self._referees.values())
        yield from self.elsewhere.rows.values()

    def knows(self, match: int) -> bool:
        """Return whether this server referees a match, or will when its game is ready."""
        return match in self._referees or match in self._waiting

    def _referees_of(self, bot_id: int) -> list[Referee]:
        return [each for each in self._referees.values() if _plays(each.row, bot_id)]

    def free(self, entrant: Entrant) -> int:
        """Return how many more matches a bot can take."""
        return max(0, entrant.capacity - self.shares.matches(entrant.bot.id))

    def both_free(self, one: Entrant, other: Entrant) -> bool:
        """Return whether two bots can take a match. A bot against itself needs two places, or all that it has."""
        if one.bot.id == other.bot.id:
            return self.free(one) >= min(2, one.capacity)
        return bool(self.free(one) and self.free(other))

    def excluded(self, bot_id: int) -> str:
        """Return why a bot plays no rated matches now; "" if it plays them. The second match of a
        pair that has begun is still played.
        """
        return next(filter(None, (why(bot_id) for why in self.exclusions)), "")

    @property
    def decided(self) -> bool:
        """Whether it is known of every bot whether it plays rated matches."""
        return not any(waits() for waits in self.undecided)

    def pairs(self, game: str, time_class: str) -> list[frozenset[int]]:
        """Return the pairs of bots, by their ids, that play rated matches of a game, with a clock or by instructions
        as the time class says.
        """
        wanted = game, by_instructions(time_class)
        return [
            frozenset(side.bot_id for side in row.players)
            for row in self._rows()
            if row.rated and (row.game, by_instructions(row.time_class)) == wanted
        ]

    def of_people(self) -> list[Referee]:
        """Return the referees of the matches in which a person plays."""
        return [each for each in self._referees.values() if any(side.person for side in each.row.players)]

    def built_in_matches(self) -> int:
        """Return the number of running matches between built-in bots."""
        return sum(all(side.bot_kind == "built-in" for side in row.players) for row in self._rows())

    def joined(self, entrant: Entrant) -> None:
        """A bot is connected (again)."""
        for referee in self._referees_of(entrant.bot.id):
            referee.joined(entrant)

    def left(self, entrant: Entrant) -> None:
        """A bot's connection is gone."""
        for referee in self._referees_of(entrant.bot.id):
            referee.left(entrant)

    def forfeit(self, entrant: Entrant, detail: str) -> None:
        """Forfeit all matches of a bot that sent too many invalid messages."""
        for referee in self._referees_of(entrant.bot.id):
            referee.forfeit(entrant.bot.id, detail)

    def graces_changed(self) -> None:
        """Re-evaluate in all matches the waiting time for absent bots."""
        for referee in list(self._referees.values()):
            referee.graces_changed()

    def abort(self, match: int, reason: str) -> bool:
        """Void a match that is going on; False when there is none of that number."""
        referee, row = self._referees.get(match), self.elsewhere.rows.get(match)
        if referee is not None:
            referee.abort(reason)
        elif row is not None:
            self.peers.abort(row, reason)
        return referee is not None or row is not None

    async def notice_ended(self) -> None:
        """Stop the matches that another process ended in the store, such as ``arena matches abort``."""
        if self._referees:
            for row in await self._store.matches.ended(list(self._referees)):
                self.abort(row.id, row.detail)

    # ---------------------------------------------------------------- starting

    def meet(
        self,
        game: Game,
        sides: tuple[Entrant, Entrant],
        *,
        kind: MatchKind,
        rated: bool,
        time_control: TimeControl | None = None,
    ) -> Coroutine[Any, Any, int]:
        """Start a match, or a colour-swapped pair when rated; await the number of the (first) match.

        The bots are engaged from this call until the last of it is over. Awaiting raises StoreError, and Unavailable.
        """
        control = time_control or self._registry.time_control(game)
        return self.hold(PlannedMatch(game, sides, kind, rated, control, secrets.randbits(63)))

    def hold(self, planned: PlannedMatch) -> Coroutine[Any, Any, int]:
        """Do the work of ``meet`` for a match with settled terms; raises ValueError too, if the bots cannot play."""
        one, other = planned.sides
        self.shares.engage(BotAndOwner.of_bot(one.bot), BotAndOwner.of_bot(other.bot))
        for side in planned.sides:
            self.rests.began(side.bot.id, planned.game.name, planned.time_control.time_class)
        return self._meet(planned)

    async def _meet(self, planned: PlannedMatch) -> int:
        sides = planned.sides
        try:
            if planned.rated and planned.tournament is None:
                opening = await self._registry.opening(planned.game, planned.seed)
                planned = replace(planned, opening=opening)
            present = self._as_present(planned)
            if present is None:
                raise Unavailable(f"{' or '.join(side.bot.name for side in sides)} cannot play {planned.game.name} now")
            if why_not := instructions.why_not(present.time_control, present.sides):
                raise Unavailable(why_not)
            row = await self._open(present)
        except BaseException:
            self._release(planned.game.name, planned.time_control.time_class, *(side.bot.id for side in sides))
            raise
        if row.owner == self.peers.me:
            self._spawn(row.id)
        return row.id

    async def _play_match(self, match: int) -> None:
        """Play a match that was opened or resumed and, one after the other, those that follow from it: the second of
        its pair, and any that is played again. When the arena stops, these are left for the next start.
        """
        row, game = self._referees[match].row, self._referees[match].match.game
        try:
            while True:
                finished = await self._play(match)
                following = finished.sequel if finished is not None else None
                if following is None or self._stopping:
                    return
                stored = await self._written(following, len(row.opening))
                if stored.row.pair != match:
                    self._replays[following] = self._replays.pop(match, 0) + 1
                match = following
                self._seat(stored.row, await asyncio.to_thread(rebuild, stored, game))
                self._count_start(stored.row)
        finally:
            self._replays.pop(match, None)
            self._release(row.game, row.time_class, *(player.bot_id for player in row.players))

    def _sequel(self, row: MatchRow, match: Match, late: bool) -> NewMatch | None:
        """Return the match that follows as one ends; ``late``: whether it was void because the arena was late."""
        return new_match.sequel(row, match, self._settings, late=late, replays=self._replays[row.id])

    def _as_present(self, planned: PlannedMatch) -> PlannedMatch | None:
        """Return a pairing of the same bots with their current connections; None if one cannot play the game any
        more.
        """
        one, other = (
            # a person sits down once its page has opened the socket
            self._roster.get(side.bot.id) or (side if side.bot.kind == "person" else None)
            for side in planned.sides
        )
        if one is None or other is None or not all(planned.game.name in side.games for side in (one, other)):
            return None
        return replace(planned, sides=(one, other))

    async def _open(self, planned: PlannedMatch) -> MatchRow:
        """Write a match down, put its referee in place, here or at another server, and return the match."""
        match, new = new_match.of_planned(planned, self._settings, self.peers.referee(planned.sides))
        row = (await self._written(await self._store.matches.start(new), match.ply)).row
        self._count_start(row)
        if row.owner == self.peers.me:
            self._seat(row, match)
        else:
            self.elsewhere.add(row)
            self.peers.started(row)
        return row

    def _count_start(self, row: MatchRow) -> None:
        self._metrics.started.labels(row.game, row.kind).inc()
        if row.id not in self.elsewhere.rows:
            self._count_day(row)

    def _count_day(self, row: MatchRow) -> None:
        self.daily.begin(side.owner for side in map(BotAndOwner.of_player, row.players) if not side.built_in)

    async def _written(self, number: int, plies: int) -> StoredMatch:
        """Return a match that was just recorded, with this number of plies."""
        try:
            stored = await keep_trying(partial(self._store.matches.get, number))
        except StoreError:
            # it has no referee, and would stay live until the next start
            end = partial(self._store.matches.finish, number, result="*", termination="void", plies=plies)
            await keep_trying(partial(end, detail="the arena failed to begin it"))
            raise
        assert stored is not None
        return stored

    def _seat(self, row: MatchRow, match: Match, *, resumed: bool = False, stored: int = 0) -> None:
        view = LiveView(row, match, self._settings.moves_behind)
        referee = Referee(
            row,
            match,
            view,
            store=self._store,
            settings=self._settings,
            metrics=self._metrics,
            clock=self._clock,
            processor_time=self._processor_time,
            present=self._roster.get,
            sequel=partial(self._sequel, row, match),
            infos=self._infos.of_match(row, match.moves),
            hosting=self._hosting,
            knows_game=partial(self._knows_game, row.game),
            resumed=resumed,
            stored=stored,
        )
        if self._stopping:
            referee.suspend()
        self._referees[row.id] = referee
        self._broadcast.add(view)
        self._metrics.live.set(len(self._referees))
        names = "hidden" if row.anonymous else [side.bot for side in row.players]
        log.info("match resumed" if resumed else "match started", match=row.id, game=row.game, players=names)

    def _knows_game(self, game: str, entrant: Entrant) -> bool:
        """Tell whether a built-in bot is ready for a game; other bots declare their games themselves."""
        own = entrant.bot.kind != "built-in"
        return own or game in entrant.games or not self._registry.offers(game)

    async def _play(self, match: int) -> FinishedMatch | None:
        """Play a match, and return the effects of its end if it ended. Callers keep its number, not its referee, so
        that the referee's memory is freed.
        """
        referee = self._referees[match]
        try:
            await referee.run()
        finally:
            del self._referees[match]
            self._broadcast.remove(referee.view)
            self._metrics.live.set(len(self._referees))
            self.peers.over(match, None if referee.finished is None else referee.finished.sequel)
        if referee.finished is not None:
            after = [change.after for change in referee.finished.changes or ()]
            self._note_ratings(referee.row, after)
            if referee.match.ending is not None:
                for hear in self.on_finished:
                    hear(referee.row, referee.match.ending)
        return referee.finished

    def _over_elsewhere(self, row: MatchRow) -> None:
        """Handle the end of a match that another server refereed."""
        after = [player.rating_after for player in row.players]
        self._note_ratings(row, [rating for rating in after if rating is not None])
        self._rest(row.game, row.time_class, *(player.bot_id for player in row.players))

    def _note_ratings(self, row: MatchRow, after: Sequence[float]) -> None:
        """Note the ratings after a match; ``after``: by seat, empty if it changed none."""
        for player, rating in zip(row.players, after, strict=False):
            entrant = self._roster.get(player.bot_id)
            same = entrant is not None and entrant.version.id == player.version_id
            if entrant is not None and same and row.time_class == self._usual_class(row.game):
                entrant.ratings[row.game] = rating

    def _usual_class(self, name: str) -> str | None:
        game = self._registry.games.get(name)
        return None if game is None else self._registry.time_class(game)

    def _release(self, game: str, time_class: str, one: int, other: int) -> None:
        self.shares.release(one, other)
        self._rest(game, time_class, one, other)

    def _rest(self, game: str, time_class: str, one: int, other: int) -> None:
        """Note that two bots have ended a match, and are free again after a pause."""
        for bot_id in (one, other):
            self.rests.ended(bot_id, game, time_class)
        self.on_over()

    # ---------------------------------------------------------------- restarts

    def expect(self, row: MatchRow) -> None:
        """Note a match that a restart left: its bots are engaged already, while its game gets ready."""
        self._waiting[row.id] = row
        self._broadcast.resumable.expect(row.id)
        one, other = row.players
        self.shares.engage(BotAndOwner.of_player(one), BotAndOwner.of_player(other))

    async def resume(self, stored: StoredMatch, game: Game | None) -> None:
        """Take up an expected match; void it when its game is gone or its record does not fit the rules."""
        row = stored.row
        try:
            if game is None:
                raise ValueError(f"this server does not offer the game {row.game} any more")
            match = await asyncio.to_thread(rebuild, stored, game)
        except ValueError as error:
            log.warning("match not resumed", match=row.id, why=str(error))
            await self._void(stored, f"the arena restarted: {error}")
            return
        del self._waiting[row.id]
        if row.epoch > FIRST_EPOCH and match.ending is None:
            match.resume(row.epoch, self.peers.name)
        self._seat(row, match, resumed=row.epoch != FIRST_EPOCH, stored=len(stored.events))
        self._metrics.resumed.inc()
        self._spawn(row.id)

    async def _void(self, stored: StoredMatch, detail: str) -> None:
        """End an expected match without a result; if the store fails, it stays live there until the next start."""
        row = stored.row
        finish = partial(self._store.matches.finish, row.id, result="*", termination="void", detail=detail)
        try:
            await keep_trying(partial(finish, plies=plies(stored)))
        except StoreError as error:
            log.warning("a match that cannot go on could not be voided", match=row.id, why=str(error))
        del self._waiting[row.id]
        self._broadcast.resumable.settle(row.id)
        self._release(row.game, row.time_class, *(player.bot_id for player in row.players))
        for seat, player in enumerate(row.players):
            entrant = self._roster.get(player.bot_id)
            if entrant is not None:
                number = told_number(row, seat)
                entrant.send(Over(match=number, result="*", score=None, termination="void", detail=detail))

    # ---------------------------------------------------------------- the tasks

    def _spawn(self, match: int) -> None:
        task = asyncio.create_task(self._guarded(match))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, match: int) -> None:
        """Isolate the failures of one match from the rest."""
        try:
            await self._play_match(match)
        except StoreError as error:
            log.warning("a match could not continue", why=str(error))
        except Exception:
            log.exception("a match failed")

    async def stop(self) -> None:
        """Suspend all matches as they are; the server resumes them at its next start."""
        self._stopping = True
        for referee in self._referees.values():
            referee.suspend()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.stop_timeout):
                # a match that was being written down begins in the meantime
                while self._tasks:
                    await asyncio.wait(self._tasks)
        for task in self._tasks:
            task.cancel()


def _plays(row: MatchRow, bot_id: int) -> bool:
    return any(player.bot_id == bot_id for player in row.players)
