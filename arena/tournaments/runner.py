# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournament runner: starts due games when both bots are connected and free, and records the results.

It keeps no state that a restart could lose: live and finished games are read from the store.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from arena import tracing
from arena.connections.sessions import Entrant, Roster
from arena.hosting.readiness import Compiling
from arena.ladder.shares import BotAndOwner, same_owners
from arena.matches.conductor import Conductor, Unavailable
from arena.matches.instructions import lacking, why_not
from arena.matches.new_match import PlannedMatch, dice_secret
from arena.registry import GameRegistry
from arena.store import Store
from arena.store.errors import AlreadyLive, StoreError
from arena.store.rows import MatchRow, TournamentStatus
from arena.tournaments.book import Book, Unreadable
from arena.tournaments.machine.course import Withdrawal
from arena.tournaments.machine.events import Slot
from arena.tournaments.machine.tournament import Due, TournamentError
from arena.tournaments.pace import Pace
from arena.tournaments.view import AbsentView, TournamentView, view
from engine.game import Game
from engine.time_control import TimeControl

log = structlog.get_logger("arena.tournaments")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """References to the parts of the arena that tournaments use."""

    store: Store
    roster: Roster
    registry: GameRegistry
    conductor: Conductor
    compiling: Compiling
    changed: Callable[[int], None]
    """Called with the number of a changed tournament."""
    opened: Callable[[int], None]
    """Called with the number of a match whose dice or cards are public from now on."""


VOIDS = 3
"""Number of void results after which a game counts as not played."""

_REST = 30.0
"""Seconds before a failed runner is restarted."""

INTERVAL = 1.0
"""Seconds between two checks without a notification."""


class Runner:
    """Runs one tournament."""

    def __init__(self, book: Book, surroundings: Surroundings) -> None:
        self._book = book
        self._store = surroundings.store
        self._roster = surroundings.roster
        self._registry = surroundings.registry
        self._conductor = surroundings.conductor
        self._compiling = surroundings.compiling
        self._changed = surroundings.changed
        self._opened = surroundings.opened
        self._running: dict[Slot, int] = {}
        """Live matches by slot."""
        self._voids: Counter[Slot] = Counter()
        self._missing_since: dict[int, float] = {}
        self._unable: dict[int, str] = {}
        """Why connected players that are missing cannot play, for people."""
        self._pace = Pace()
        self._openings: dict[int, tuple[str, ...]] = {}
        self._secrets: dict[Slot, str] = {}
        """Secrets of mirrored dice by the first game of the pair."""
        self._news = asyncio.Event()
        self.status: TournamentStatus = book.row.status
        """Wanted status, set by the manager."""
        self.picture: TournamentView | None = None
        """The current view of the tournament."""

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._book.row.game

    def waiting(self) -> str | None:
        """Return the running compilation that due games wait for, for people, or None."""
        if self.status != "running" or self._running:
            return None
        entries = self._book.tournament.config.entries
        players = sorted({player for due in self._book.tournament.due() for player in due.seats})
        missing = [entries[player].name for player in players if self._present(player) is None]
        waits = (self._compiling.why_not(self.game, name) for name in missing)
        return self._compiling.why_not(self.game) or next(filter(None, waits), None)

    def absent(self) -> tuple[AbsentView, ...]:
        """Return the players for which games wait."""
        if self.status != "running":
            return ()
        config = self._book.tournament.config
        # the loop's clock, as a Unix time
        start = time.time() - asyncio.get_running_loop().time()
        return tuple(
            AbsentView(
                entry=player,
                name=config.entries[player].name,
                since=start + since,
                until=start + since + config.patience,
                reason=self._unable.get(player),
            )
            for player, since in sorted(self._missing_since.items())
        )

    def expected_end(self) -> float | None:
        """Return the Unix time at which the last planned game ends at the present pace, if that can be expected."""
        shown = self.picture
        if shown is None or self.status != "running" or shown.test is not None or shown.misordered is not None:
            return None
        left = 0 if shown.games_planned is None else shown.games_planned - shown.played
        return self._pace.end(left) if left > 0 else None

    def wake(self) -> None:
        """Check soon: a bot has connected, a match is over, or the tournament has changed."""
        self._news.set()

    async def run(self) -> None:
        """Run the tournament until it is over or cancelled. Raises StoreError if the store fails for long."""
        await self._find_matches()
        while True:
            self._news.clear()
            await self._look()
            if self.picture is not None and self.picture.over is not None:
                await self._store.tournaments.become(self._book.row.id, "finished")
                self.status = "finished"
                await self._show()
                log.info("tournament over", tournament=self._book.row.id, why=self.picture.over)
                return
            if self.status == "cancelled":
                for number in self._running.values():
                    self._conductor.abort(number, "the tournament was cancelled")
                await self._end_matches()
                await self._open_pairs()
                await self._show()
                return
            if self.status == "running" and await self._start_games():
                await self._show()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(INTERVAL):
                    await self._news.wait()

    async def _end_matches(self) -> None:
        """Wait until the aborted matches of a cancelled tournament with mirrored dice are over."""
        while self._running and self._book.tournament.config.mirrored_dice:
            self._news.clear()
            if not await self._collect():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(INTERVAL):
                        await self._news.wait()

    async def _look(self) -> None:
        """Read new events and results, and advance the tournament."""
        length = (await self._store.tournaments.get(self._book.row.id)).length
        changed = length > len(self._book.tournament.events)
        if changed:
            await self._book.reopen()
        changed |= await self._collect()
        changed |= await self._book.change(lambda tournament: tournament.advance(self._running))
        if changed or self.picture is None or self.picture.status != self.status:
            await self._open_pairs()
            await self._show()

    async def _show(self) -> None:
        await self._refresh_row()
        live = dict(self._running)
        self.picture = await asyncio.to_thread(view, self._book.row, self._book.tournament, live)
        self._changed(self._book.row.id)

    async def _refresh_row(self) -> None:
        self._book.row = await self._store.tournaments.get(self._book.row.id)

    # ---------------------------------------------------------------- results

    async def _find_matches(self) -> None:
        """Load the matches that were started before this runner."""
        self._running.clear()
        self._voids.clear()
        recorded = self._recorded()
        ended: list[float] = []
        for row in await self._store.tournaments.matches(self._book.row.id):
            slot = Slot.parse(row.round or "")
            if row.finished is not None:
                ended.append(row.finished)
            if row.mirrored_dice and row.dice_secret is not None:
                self._secrets[_pair(slot)] = row.dice_secret
            if row.status == "live":
                self._running[slot] = row.id
            elif row.result == "*":
                self._voids[slot] += 1
            elif slot not in recorded:
                self._running[slot] = row.id
        self._pace = Pace(sorted(ended))

    async def _open_pairs(self) -> None:
        """Show the dice and cards of the pairs of games that are over: no bot needs them any more."""
        if not self._book.tournament.config.mirrored_dice:
            return
        rows = [row for row in await self._store.tournaments.matches(self._book.row.id) if row.sealed]
        slots = {row.id: _pair(Slot.parse(row.round or "")) for row in rows}
        live = {slots[row.id] for row in rows if row.status == "live"}
        opened = [row.id for row in rows if slots[row.id] not in live and self._is_over(slots[row.id])]
        if opened:
            await self._store.matches.unseal(opened)
            for number in opened:
                self._opened(number)

    def _is_over(self, first: Slot) -> bool:
        """Return whether both games of a pair have a result, or will have none."""
        pair = first, first._replace(game=first.game + 1)
        return self.status == "cancelled" or not any(map(self._book.tournament.awaits, pair))

    def _recorded(self) -> set[Slot]:
        """Return the games that have a result."""
        return {bout.slot(number) for bout in self._book.tournament.course.bouts for number in bout.games}

    async def _collect(self) -> bool:
        """Record the results of finished matches; return whether there were any."""
        if not self._running:
            return False
        ended = await self._store.matches.ended(list(self._running.values()))
        for row in ended:
            await self._end(Slot.parse(row.round or ""), row)
        return bool(ended)

    async def _end(self, slot: Slot, row: MatchRow) -> None:
        del self._running[slot]
        assert row.result is not None, "the store gives matches that are over"
        self._pace.add(row.finished or time.time())
        # after a restart the result may be stored already
        with contextlib.suppress(TournamentError):
            if row.result != "*":
                await self._book.change(
                    lambda tournament: tournament.record(slot, row.result or "", row.id, row.payoff, row.points)
                )
                return
            self._voids[slot] += 1
            if self._voids[slot] >= VOIDS and self.status == "running":
                reason = f"it ended without a result {VOIDS} times: {row.detail}"
                await self._book.change(lambda tournament: tournament.strike(slot, reason))

    # ---------------------------------------------------------------- games

    async def _start_games(self) -> bool:
        """Start all due games that can start now; return whether there were any."""
        config = self._book.tournament.config
        if not self._registry.is_ready(config.game) or (config.rated and not self._conductor.decided):
            return False
        before = len(self._running)
        missing: set[int] = set()
        with contextlib.ExitStack() as spans:
            for due in self._book.tournament.due():
                if due.slot in self._running:
                    continue
                sides = [self._able(player, self._control(due)) for player in due.seats]
                missing.update(player for player, side in zip(due.seats, sides, strict=True) if side is None)
                room = not config.concurrency or len(self._running) < config.concurrency
                one, other = sides
                if one and other and (reason := why_not(self._control(due), (one, other))):
                    await self._strike(due.slot, reason)
                elif one and other and room and self._conductor.both_free(one, other):
                    if len(self._running) == before:  # the first one that begins
                        about = {"tournament": self._book.row.id, "round": due.slot.round}
                        spans.enter_context(tracing.root("tournament round", **about))
                    await self._start(due, (one, other))
        await self._notice_missing(missing)
        return len(self._running) > before

    def _present(self, player: int) -> Entrant | None:
        """Return an entry that is connected and plays the game."""
        config = self._book.tournament.config
        found = self._roster.named(config.entries[player].name)
        return found if found is not None and config.game in found.games else None

    def _able(self, player: int, control: TimeControl) -> Entrant | None:
        """Return an entry that is connected and can play with this time control; others are missing."""
        self._unable.pop(player, None)
        found = self._present(player)
        if found is None or (reason := lacking(control, found)) is None:
            return found
        self._unable[player] = reason
        return None

    async def _start(self, due: Due, sides: tuple[Entrant, Entrant]) -> None:
        config = self._book.tournament.config
        game = self._registry.games[config.game]
        opening = due.opening
        try:
            planned = PlannedMatch(
                game,
                sides,
                kind="tournament",
                rated=config.rated and self._may_be_rated(game, sides),
                time_control=self._control(due),
                seed=due.opening_seed,
                opening=opening.moves if opening else await self._drawn(due.opening_seed),
                start=opening.start if opening else None,
                adjudication=config.adjudication,
                tournament=self._book.row.id,
                round=str(due.slot),
                anonymous=config.anonymous,
                mirrored_dice=config.mirrored_dice,
                dice_secret=self._secret(due.slot) if config.mirrored_dice else None,
            )
            with tracing.child("start match", game=str(due.slot)):
                self._running[due.slot] = await self._conductor.hold(planned)
        except AlreadyLive as error:
            # another server started it; its result counts, and its dice are those of the pair
            log.warning("a game of a tournament is already being played", why=str(error))
            await self._find_matches()
        except Unavailable:
            return  # a bot has just disconnected; it counts as missing at the next check
        except ValueError as error:
            await self._strike(due.slot, str(error))

    def _may_be_rated(self, game: Game, sides: tuple[Entrant, Entrant]) -> bool:
        """Whether a game of a rated tournament is rated: not if a bot plays against itself; for hidden information see
        ``TournamentView.own_unrated``.
        """
        one, other = sides
        if one.bot.id == other.bot.id:
            return False
        if game.secrets is not None and any(same_owners([BotAndOwner.of_bot(side.bot) for side in sides])):
            return False
        return not any(self._conductor.excluded(side.bot.id) for side in sides)

    def _secret(self, slot: Slot) -> str:
        """Return the secret of the mirrored dice of a pair of games."""
        return self._secrets.setdefault(_pair(slot), dice_secret())

    async def _strike(self, slot: Slot, reason: str) -> None:
        """Count a game as not played, because it cannot start."""
        log.warning("a game of a tournament cannot start", tournament=self._book.row.id, game=str(slot), why=reason)
        await self._book.change(lambda tournament: tournament.strike(slot, f"it cannot start: {reason}"))

    def _control(self, due: Due) -> TimeControl:
        """Return the time control of a game."""
        config = self._book.tournament.config
        if self._timed(due):
            return config.control(*due.seats)
        return self._registry.time_control(self._registry.games[config.game])

    def _timed(self, due: Due) -> bool:
        """Whether the tournament sets the time control of a game."""
        config = self._book.tournament.config
        return config.time_control is not None or any(config.entries[player].time_control for player in due.seats)

    async def _drawn(self, seed: int) -> tuple[str, ...]:
        """Return the opening of a seed; cached, because both games of a pair use the same one."""
        if seed not in self._openings:
            game = self._registry.games[self._book.tournament.config.game]
            if len(self._openings) > 100:
                self._openings.clear()
            self._openings[seed] = await self._registry.opening(game, seed)
        return self._openings[seed]

    async def _notice_missing(self, missing: set[int]) -> None:
        """Withdraw players that have been missing for too long while their games are due."""
        now = asyncio.get_running_loop().time()
        entries = self._book.tournament.config.entries
        missing = {player for player in missing if not self._compiling.getting_ready(entries[player].name)}
        if self._compiling.all:
            missing = set()
        before = self._missing_since.keys()
        self._missing_since = {player: self._missing_since.get(player, now) for player in missing}
        if self._missing_since.keys() != before:
            self._changed(self._book.row.id)
        patience = self._book.tournament.config.patience
        for player, since in list(self._missing_since.items()):
            if now - since >= patience:
                await self._withdraw(player, self._unable.get(player, Withdrawal.ABSENT.format(f"{patience:g}")))

    async def _withdraw(self, player: int, reason: str) -> None:
        # another process may have withdrawn the player just now
        with contextlib.suppress(TournamentError):
            await self._book.change(lambda tournament: tournament.withdraw(player, reason))
        self._news.set()


def _pair(slot: Slot) -> Slot:
    """Return the first game of the pair of a game."""
    return slot._replace(game=slot.game - (slot.game + 1) % 2)


async def hold(runner: Runner, number: int) -> None:
    """Run a runner to its end; restart it after errors."""
    while True:
        try:
            await runner.run()
        except StoreError as error:
            log.warning("a tournament waits for the database", tournament=number, why=str(error))
            await asyncio.sleep(INTERVAL)
        except Unreadable as error:
            log.error("a tournament cannot continue", tournament=number, why=str(error))
            return
        except Exception:
            log.exception("a tournament failed; restarting it", tournament=number)
            await asyncio.sleep(_REST)
        else:
            return
