# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that seats people, and rates those with accounts.

A person is a player like a bot: the page opens the bots' socket with a token, and the one referee decides about its
moves. A new token makes the one before it invalid, so the newest page of a person has the seat.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import SystemRandom

import structlog

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.connections.gateway import PERSON
from arena.connections.limits import RateLimits
from arena.connections.sessions import Connection, Entrant, Outbox
from arena.feature import Part
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.rows import Account
from arena.features.people.consents import Learning
from arena.features.people.records import People
from arena.features.people.rows import PersonRow
from arena.features.people.settings import PeopleSettings
from arena.matches.conductor import Unavailable
from arena.matches.new_match import PlannedMatch
from arena.protocol.session import Session
from arena.store.errors import StoreError, keep_trying
from arena.store.rows import BotRow, MatchRow, VersionRow
from engine.game import Game
from engine.match.ending import Ending
from engine.time_control import TimeControl

UNLIMITED = "unlimited"
"""The choice of a match without a clock for the person."""

HOUR = 3600.0

NEAR = 8
"""Squares in which two positions differ at most if they are close: a plain move changes two."""

END_WITHIN = 10.0
"""Seconds to wait for the end of a person's last match to be recorded before another can start."""

log = structlog.get_logger("arena.people")


class Refused(Exception):
    """A match with a person cannot start; the text is for people."""


class Full(Refused):
    """A limit is reached; ``retry_after`` in seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Wish:
    """The match that a person wants."""

    game: Game
    opponent: Entrant
    seat: int | None
    """0 moves first; None: at random."""
    clock: str
    """A time control of the settings, or ``UNLIMITED``."""


class PeoplePart(Part):
    """The people at the board."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.settings = arena.settings.of(PeopleSettings)
        self.records = arena.store.records(People)
        hourly = self.settings.people_matches_per_hour
        self._starts: RateLimits[str] = RateLimits(hourly / HOUR, hourly)
        arena.limits["people's matches"] = self._starts
        self._seating = asyncio.Lock()
        """One person sits down at a time, so that no seat is given twice."""
        self._random = SystemRandom()
        self._ends: dict[int, asyncio.Event] = {}
        """Matches whose ends are awaited."""
        self._addresses: dict[int, str] = {}
        """By the number of a running match: the address from which its person last sat down."""
        self._over: asyncio.Queue[MatchRow] = asyncio.Queue()
        self.on_settled: Callable[[int], None] = lambda match: None
        """Called with the number of a match when its effect on people is recorded."""
        arena.conductor.on_finished.append(self._hear)
        self.learning = Learning(arena)
        arena.part(AccountsPart).changes += [self.records.forget_deleted, self.learning.forget_removed]

    # ---------------------------------------------------------------- people

    async def find(self, account: Account | None, secret: str) -> PersonRow | None:
        """Return the person of an account, or the guest with a secret; None if there is none."""
        if account is not None:
            person = await self.records.of_account(account.id)
        else:
            person = await self.records.by_secret(hash_token(secret)) if secret else None
        return None if person is None or person.removed is not None else person

    async def _enter(self, account: Account | None, secret: str) -> tuple[PersonRow, str]:
        """Return the person who wants to play, and the new secret of a guest. Raises Full and Refused."""
        if account is not None:
            person = await self.records.add_account(account.id, account.name)
            if person.removed is not None:
                raise Refused("an operator removed this player; the account cannot play any more")
            return person, ""
        known = await self.find(None, secret)
        if known is not None:
            return known, ""
        secret = secrets.token_urlsafe(32)
        return await self._seat_of_guest(hash_token(secret)), secret

    async def _seat_of_guest(self, secret_hash: str) -> PersonRow:
        """Return a seat for a new guest. Raises Full."""
        guests = [guest for guest in await self.records.guests() if guest.removed is None]
        most, now = self.settings.guest_seats, time.time()
        if not most:
            raise Refused("guests cannot play here; sign in to play")
        free_at = [guest.seen + self.settings.guest_idle for guest in guests if self.match_of(guest.bot_id) is None]
        taken = len(guests) - sum(at <= now for at in free_at)
        if taken >= most:
            wait = min(free_at, default=now + self.settings.guest_idle) - now
            raise Full(f"all {most} seats of guests are taken; try again later, or sign in", wait)
        for guest in guests:
            if self.match_of(guest.bot_id) is None and guest.seen + self.settings.guest_idle <= now:
                await self.records.give(guest.bot_id, secret_hash)
                return guest
        return await self.records.add_guest(secret_hash)

    def match_of(self, bot_id: int) -> int | None:
        """Return the number of the match that a person plays now."""
        return next(iter(self._arena.conductor.matches_of(bot_id)), None)

    def sat_down(self, match: int, address: str) -> None:
        """Note from which address a person plays a match."""
        self._addresses[match] = address

    def close_to_a_match(self, address: str, game: Game, diagram: str) -> bool:
        """Return whether a position is close to one that a person at this address plays now, for example a few moves
        before or after it.
        """
        for match, at in self._addresses.items():
            referee = self._arena.conductor.referee(match) if at == address else None
            played = None if referee is None else referee.match
            if played is not None and played.ending is None and played.game.name == game.name:
                now = game.diagram(played.position.state)
                if sum(one != other for one, other in zip(diagram, now, strict=True)) <= NEAR:
                    return True
        return False

    async def token(self, person: PersonRow) -> str:
        """Return a new token of a person for the socket; the person's other pages lose the seat."""
        token = make_token()
        await self._arena.store.bots.rotate(person.name, hash_token(token))
        await self.records.touch(person.bot_id)
        return token

    # ---------------------------------------------------------------- matches

    def opponents(self) -> list[Entrant]:
        """Return the connected bots that accept people."""
        return [entrant for entrant in self._arena.roster if entrant.people]

    def wish(self, game: str, opponent: str, seat: int | None, clock: str) -> Wish:
        """Return the match that a person describes. Raises Refused."""
        arena = self._arena
        if not arena.registry.offers(game):
            raise Refused(f"this arena does not offer the game {game[:40]!r}")
        if waits := arena.compiling.why_not(game):
            raise Refused(waits)
        if clock != UNLIMITED and clock not in self.settings.clocks():
            raise Refused(f"choose one of these clocks: {', '.join((*self.settings.clocks(), UNLIMITED))}")
        if not arena.registry.games[game].perfect_information:
            raise Refused(f"{game} has hidden information or simultaneous moves; only bots play it")
        bot = arena.roster.named(opponent)
        if bot is None or game not in bot.games:
            if waits := arena.compiling.why_not(game, opponent):
                raise Refused(waits)
            raise Refused(f"no connected bot called {opponent[:40]!r} plays {game}")
        if not bot.people:
            raise Refused(f"{bot.bot.name} does not play against people")
        return Wish(arena.registry.games[game], bot, seat, clock)

    async def start(self, wish: Wish, account: Account | None, secret: str, address: str) -> tuple[PersonRow, int, str]:
        """Start a match; return the person, the match, and the new secret of a guest.

        Raises Refused, Full and StoreError.
        """
        now = asyncio.get_running_loop().time()
        if not self._starts.take(address, now):
            raise Full("too many matches from this address within an hour", self._starts.wait(address, now))
        try:
            await self._ended(await self.find(account, secret))
            async with self._seating:
                person, new = await self._enter(account, secret)
                return person, await self._meet(wish, person), new
        except Refused:
            self._starts.give_back(address)
            raise

    async def _ended(self, person: PersonRow | None) -> None:
        """Wait until the last match of a person is removed, if it has just ended."""
        match = None if person is None else self.match_of(person.bot_id)
        referee = None if match is None else self._arena.conductor.referee(match)
        if match is None or referee is None or referee.match.ending is None:
            return
        end = self._ends.setdefault(match, asyncio.Event())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_WITHIN):
                await end.wait()

    async def _meet(self, wish: Wish, person: PersonRow) -> int:
        if (match := self.match_of(person.bot_id)) is not None:
            raise Refused(f"you play match {match} already; finish or resign it first")
        conductor = self._arena.conductor
        one = await self._entrant(person, wish.game.name)
        if not conductor.free(wish.opponent):
            raise Refused(f"{wish.opponent.bot.name} already plays its maximum number of matches; try again soon")
        if why_not := conductor.shares.why_not(one, wish.opponent):
            raise Refused(why_not)
        seat = self._random.randrange(2) if wish.seat is None else wish.seat
        sides = (one, wish.opponent) if seat == 0 else (wish.opponent, one)
        control = self._control(wish.clock, seat)
        planned = PlannedMatch(wish.game, sides, "people", False, control, secrets.randbits(63))
        try:
            return await conductor.hold(planned)
        except (Unavailable, ValueError) as error:
            raise Refused(str(error)) from None

    def _control(self, clock: str, seat: int) -> TimeControl:
        """Return the time control of a choice. Without a clock, each move of the person has a long time of its own."""
        if clock != UNLIMITED:
            return TimeControl.parse(clock)
        person, bot = (
            TimeControl(round(seconds * 1000), per_move=True)
            for seconds in (self.settings.people_move_time, self.settings.people_bot_time)
        )
        return TimeControl.between(person, bot) if seat == 0 else TimeControl.between(bot, person)

    async def _entrant(self, person: PersonRow, game: str) -> Entrant:
        """Return a person as a player, whose page need not be connected yet."""
        present = self._arena.roster.get(person.bot_id)
        if present is not None and game in present.games:
            return present
        bot = BotRow(person.bot_id, person.name, "person", "", "", 0.0, None)
        version = await self._arena.store.bots.version(person.bot_id, PERSON)
        return Entrant(
            bot=bot,
            version=VersionRow(version.id, person.bot_id, PERSON, 0.0),
            connection=self._nowhere(),
            token_hash="",
            games=(game,),
            capacity=1,
            legal_moves=True,
            ladder=False,
            challenges=False,
        )

    def _nowhere(self) -> Connection:
        """Return a connection without a socket."""
        session = Session(asyncio.get_running_loop().time())
        return Connection("", session, Outbox(0, 0), lambda *_: None, lambda _: None, self._arena.metrics)

    # ---------------------------------------------------------------- ratings

    def _hear(self, row: MatchRow, ending: Ending) -> None:
        """Hear of the end of a match."""
        if row.kind == "people":
            self._over.put_nowait(row)
            self._addresses.pop(row.id, None)
            if (end := self._ends.pop(row.id, None)) is not None:
                # in the next step of the loop the match has made room
                end.set()

    async def run(self) -> None:
        """Rate people after their matches, until cancelled; first those that ended just before the server stopped."""
        for match, game in await keep_trying(self.records.unsettled):
            await self._settle(match, game)
        while True:
            row = await self._over.get()
            try:
                await self._settle(row.id, row.game)
                for side in row.players:
                    if side.person:
                        await keep_trying(partial(self.records.touch, side.bot_id))
            except StoreError as error:
                log.warning("a person's match was not rated; the next start of the server rates it", why=str(error))
            self.on_settled(row.id)

    async def _settle(self, match: int, name: str) -> None:
        game = self._arena.registry.games.get(name)
        usual = None if game is None else self._arena.registry.time_class(game)
        change = await keep_trying(partial(self.records.settle, match, usual))
        if change is not None:
            log.info("a person was rated", match=match, before=round(change.before), after=round(change.after))
