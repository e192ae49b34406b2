# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges: one bot invites another to a match. A challenge ends when a bot disconnects or the server stops."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from itertools import count
from math import ceil
from random import Random
from typing import Any

import structlog

from arena.connections.sessions import Entrant, Roster
from arena.hosting.readiness import Compiling
from arena.ladder.shares import BotAndOwner, same_owners
from arena.matches import instructions
from arena.matches.conductor import Conductor, Unavailable
from arena.protocol import messages as m
from arena.protocol.errors import ErrorCode
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store import Store
from arena.store.errors import StoreError, keep_trying
from engine.game import Game
from engine.time_control import TimeControl

log = structlog.get_logger("arena.connections.challenges")


# ---------------------------------------------------------------- rated challenges
#
# Daily limit of rated challenges between two bots, because bots could inflate ratings by choosing their opponents.

DAY = 86_400.0
"""Seconds."""

Pair = frozenset[int]
"""The ids of two bots."""


class RatedChallenges:
    """Rated challenges of the last 24 hours by pair of bots, in both directions and for all versions."""

    def __init__(self, store: Store, most: int, now: Callable[[], float]) -> None:
        """``most``: limit for two bots in 24 hours; ``now``: returns the Unix time in seconds."""
        self._store = store
        self._most = most
        self._now = now
        self._begun: deque[tuple[float, Pair]] = deque()
        self._by_pair: defaultdict[Pair, deque[float]] = defaultdict(deque)

    async def recall(self) -> None:
        """Load the rated challenges of the last 24 hours from the store, in place of those that were counted so far.

        Raises StoreError.
        """
        since = self._now() - DAY
        found = await keep_trying(lambda: self._store.matches.rated_challenges(since))
        self._begun.clear()
        self._by_pair.clear()
        for one, other, started in found:
            self._note(frozenset((one, other)), started)

    def why_not(self, pair: Pair, open_ones: int = 0) -> str | None:
        """Return the reason why two bots may not play another rated challenge now, or None.

        ``open_ones``: number of their open challenges.
        """
        self._forget()
        begun = self._by_pair.get(pair, deque())
        if len(begun) + open_ones < self._most:
            return None
        limit = f"two bots may play {self._most} rated challenges in 24 hours"
        if not begun:
            return limit
        minutes = ceil((begun[max(0, len(begun) - self._most)] + DAY - self._now()) / 60)
        return (
            f"{limit}; the next rated challenge is possible in {minutes} minutes, an unrated challenge is possible now"
        )

    def begin(self, pair: Pair) -> Callable[[], None]:
        """Count a rated challenge that starts now; return a function that undoes this."""
        started = self._now()
        self._note(pair, started)

        def take_back() -> None:
            if (started, pair) in self._begun:  # unless they were counted anew meanwhile
                self._begun.remove((started, pair))
                self._by_pair[pair].remove(started)

        return take_back

    def _note(self, pair: Pair, started: float) -> None:
        self._begun.append((started, pair))
        self._by_pair[pair].append(started)

    def _forget(self) -> None:
        """Remove challenges older than 24 hours."""
        since = self._now() - DAY
        while self._begun and self._begun[0][0] <= since:
            _, pair = self._begun.popleft()
            times = self._by_pair[pair]
            times.popleft()
            if not times:
                del self._by_pair[pair]


# ---------------------------------------------------------------- challenges


class _ChallengeRefused(Exception):
    """The challenge is refused; code and text are for the challenger."""

    def __init__(self, text: str, code: ErrorCode = ErrorCode.CHALLENGE_REFUSED) -> None:
        super().__init__(text)
        self.code = code


@dataclass(eq=False, slots=True)
class _Open:
    """A challenge without an answer yet."""

    number: int
    challenger: Entrant
    opponent: Entrant
    game: Game
    rated: bool
    time_control: TimeControl
    expiry: asyncio.TimerHandle

    @property
    def pair(self) -> Pair:
        """The ids of both bots."""
        return frozenset((self.challenger.bot.id, self.opponent.bot.id))


class Challenges:
    """All open challenges."""

    def __init__(
        self,
        settings: Settings,
        roster: Roster,
        registry: GameRegistry,
        compiling: Compiling,
        conductor: Conductor,
        rated: RatedChallenges,
        random: Random,
    ) -> None:
        """``random``: selects the first player."""
        self._rated = rated
        self._settings = settings
        self._roster = roster
        self._registry = registry
        self._compiling = compiling
        self._conductor = conductor
        self._random = random
        self._numbers = count(1)
        self._open: dict[int, _Open] = {}
        self._taken_back: Counter[int] = Counter()
        """Number of withdrawn challenges of each bot that would still be open."""
        self._tasks: set[asyncio.Task[None]] = set()

    def challenge(self, challenger: Entrant, message: m.Challenge) -> None:
        """Pass a challenge to the opponent, or refuse it with a reason."""
        try:
            opponent, game, control = self._terms(challenger, message)
        except _ChallengeRefused as refused:
            challenger.refuse(refused.code, str(refused))
            return
        number = next(self._numbers)
        expiry = asyncio.get_running_loop().call_later(self._settings.challenge_expiry, self._settle, number, "expired")
        self._open[number] = _Open(number, challenger, opponent, game, message.rated, control, expiry)
        challenger.send(m.ChallengeOpened(challenge=number, opponent=opponent.bot.name, game=game.name))
        rating = challenger.ratings.get(game.name)
        expires = round(self._settings.challenge_expiry * 1000)
        challenged = m.Challenged(
            challenge=number,
            opponent=m.Player(challenger.bot.name, challenger.version.label, rating, challenger.bot.id),
            game=game.name,
            rated=message.rated,
            time_control=str(control),
            expires=expires,
        )
        opponent.send(challenged)

    def _terms(self, challenger: Entrant, message: m.Challenge) -> tuple[Entrant, Game, TimeControl]:
        """Return opponent, game and time control. Raises _ChallengeRefused."""
        if not self._registry.offers(message.game):
            raise _ChallengeRefused("the server does not offer this game", ErrorCode.UNKNOWN_GAME)
        if waits := self._compiling.why_not(message.game):
            raise _ChallengeRefused(waits, ErrorCode.NOT_READY)
        game = self._registry.games[message.game]
        control = default = self._registry.time_control(game)
        if message.time_control is not None:
            try:
                control = TimeControl.parse(message.time_control)
            except ValueError as error:
                raise _ChallengeRefused(str(error)) from None
        if control.seconds > max(self._settings.challenge_seconds, default.seconds):
            raise _ChallengeRefused(
                f"{control} is too long; the limit is {self._settings.challenge_seconds:g} s for 40 moves"
            )
        if message.rated and control != default:
            raise _ChallengeRefused(
                f"a rated challenge must use the time control {default} (the default of {game.name})"
            )
        opponent = self._roster.named(message.opponent)
        if opponent is None:
            if waits := self._compiling.why_not(game.name, message.opponent):
                raise _ChallengeRefused(waits, ErrorCode.NOT_READY)
            raise _ChallengeRefused("no connected bot has this name", ErrorCode.UNKNOWN_BOT)
        if opponent.bot.id == challenger.bot.id:
            raise _ChallengeRefused("a bot cannot challenge itself")
        if game.name not in challenger.games:
            raise _ChallengeRefused(f"your hello did not list {game.name}")
        if game.name not in opponent.games and (waits := self._compiling.why_not(game.name, opponent.bot.name)):
            raise _ChallengeRefused(waits, ErrorCode.NOT_READY)
        if game.name not in opponent.games or not opponent.challenges:
            raise _ChallengeRefused(f"{opponent.bot.name} does not accept challenges in {game.name}")
        if why_not := instructions.why_not(control, (challenger, opponent)):
            raise _ChallengeRefused(why_not)
        for side in challenger, opponent:
            if not self._conductor.free(side):
                raise _ChallengeRefused(f"{side.bot.name} already plays its maximum number of matches")
        if opponent.bot.kind == "built-in" and control.seconds > max(self._settings.built_in_seconds, default.seconds):
            most = max(self._settings.built_in_seconds, default.seconds)
            raise _ChallengeRefused(
                f"{control} is too long for the built-in bot {opponent.bot.name}; the limit is {most:g} s for 40 moves"
            )
        if why_not := self._conductor.shares.why_not(challenger, opponent):
            raise _ChallengeRefused(why_not)
        if message.rated:
            if game.secrets is not None and any(
                same_owners([BotAndOwner.of_bot(challenger.bot), BotAndOwner.of_bot(opponent.bot)])
            ):
                raise _ChallengeRefused(
                    f"{game.name} has hidden information, so two bots of one owner play only unrated matches of it"
                )
            for side in challenger, opponent:
                if why := self._conductor.excluded(side.bot.id):
                    raise _ChallengeRefused(f"{side.bot.name} plays only unrated matches now: it is {why}")
            pair = frozenset((challenger.bot.id, opponent.bot.id))
            why_not = self._rated.why_not(pair, sum(each.rated and each.pair == pair for each in self._open.values()))
            if why_not:
                raise _ChallengeRefused(why_not)
        own = sum(each.challenger.bot.id == challenger.bot.id for each in self._open.values())
        if own + self._taken_back[challenger.bot.id] >= self._settings.challenges_open:
            text = f"you have reached the limit of {self._settings.challenges_open} open challenges"
            raise _ChallengeRefused(f"{text}; withdrawn challenges count until they would have expired")
        return opponent, game, control

    def answer(self, opponent: Entrant, message: m.AnswerChallenge) -> None:
        """Handle an accepted or declined challenge."""
        found = self._open.get(message.challenge)
        if found is None or found.opponent is not opponent:
            opponent.refuse(ErrorCode.UNKNOWN_CHALLENGE, "no open challenge with this number")
        elif not message.accept:
            self._settle(found.number, "declined")
        elif not self._possible(found):
            self._settle(found.number, "impossible")
        else:
            self._close(found.number)
            take_back = self._rated.begin(found.pair) if found.rated else _nothing
            task = asyncio.create_task(self._start(found, self._meet(found), take_back))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _possible(self, challenge: _Open) -> bool:
        """Return whether the match can start now; other matches may have started since the challenge was opened."""
        sides = challenge.challenger, challenge.opponent
        if challenge.rated and any(self._conductor.excluded(side.bot.id) for side in sides):
            return False
        return all(map(self._conductor.free, sides)) and self._conductor.shares.why_not(*sides) is None

    def withdraw(self, challenger: Entrant, message: m.WithdrawChallenge) -> None:
        """Withdraw a challenge."""
        found = self._open.get(message.challenge)
        if found is None or found.challenger is not challenger:
            challenger.refuse(ErrorCode.UNKNOWN_CHALLENGE, "no open challenge with this number")
        else:
            self._take_back(found, "withdrawn")

    def left(self, entrant: Entrant) -> None:
        """End all challenges of a bot that has disconnected."""
        for each in list(self._open.values()):
            if each.number not in self._open:
                continue  # the other side disconnected too, because it did not read the result of another challenge
            if entrant is each.challenger:
                self._take_back(each, "impossible")
            elif entrant is each.opponent:
                self._settle(each.number, "impossible")

    def stop(self) -> None:
        """End all challenges because the server stops."""
        while self._open:
            self._settle(next(iter(self._open)), "impossible")

    def _meet(self, challenge: _Open) -> Coroutine[Any, Any, int]:
        sides = (challenge.challenger, challenge.opponent)
        if self._random.random() < 0.5:
            sides = (challenge.opponent, challenge.challenger)
        return self._conductor.meet(
            challenge.game,
            sides,
            kind="challenge",
            rated=challenge.rated,
            time_control=challenge.time_control,
        )

    async def _start(self, challenge: _Open, meeting: Coroutine[Any, Any, int], take_back: Callable[[], None]) -> None:
        try:
            match = await meeting
        except (StoreError, Unavailable, ValueError) as error:
            log.warning("challenge not started", why=str(error))
            take_back()
            self._tell(challenge, "impossible")
        else:
            self._tell(challenge, "accepted", [match])

    def _take_back(self, challenge: _Open, outcome: str) -> None:
        """End an unanswered challenge; it counts for its challenger until it would have expired."""
        bot_id = challenge.challenger.bot.id
        self._taken_back[bot_id] += 1
        asyncio.get_running_loop().call_at(challenge.expiry.when(), self._forgive, bot_id)
        self._settle(challenge.number, outcome)

    def _forgive(self, bot_id: int) -> None:
        self._taken_back[bot_id] -= 1
        if not self._taken_back[bot_id]:
            del self._taken_back[bot_id]

    def _settle(self, number: int, outcome: str) -> None:
        self._tell(self._close(number), outcome)

    def _close(self, number: int) -> _Open:
        challenge = self._open.pop(number)
        challenge.expiry.cancel()
        return challenge

    def _tell(self, challenge: _Open, outcome: str, matches: list[int] | None = None) -> None:
        closed = m.ChallengeClosed(challenge=challenge.number, outcome=outcome, matches=matches or [])
        challenge.challenger.send(closed)
        challenge.opponent.send(closed)


def _nothing() -> None:
    """Do nothing: unrated challenges are not counted."""
