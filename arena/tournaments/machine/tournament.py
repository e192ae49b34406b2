# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament as a pure state machine: results in, the next games out.

It reads no clock and does no I/O. Every change becomes an event, and a tournament is its description and its events:
``Tournament.replay`` rebuilds it from them. The next step depends only on these, and random choices only on the seed.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Self

from arena.tournaments.machine.config import Config
from arena.tournaments.machine.course import Bout, Course, Game, Over
from arena.tournaments.machine.events import Event, Finished, Paired, Pairing, Played, Slot, Unplayed, Withdrew
from engine.formats.suite import Opening
from engine.match.ending import ONE


class TournamentError(ValueError):
    """Something that cannot happen in this tournament now; the tournament is as before."""


@dataclass(frozen=True, slots=True)
class Due:
    """A game to play: the seats by numbers of entries, and the opening."""

    slot: Slot
    seats: tuple[int, int]
    opening: Opening | None
    """None: the one that ``opening_seed`` draws by the game's own rule."""
    opening_seed: int
    """The same for both games of a pair."""


class Tournament:
    """A tournament, from its first pairing to its end. Methods that change it return the events they caused, in order;
    if the change is not allowed they raise TournamentError and change nothing.
    """

    def __init__(self, config: Config) -> None:
        """Begin before the first round; ``config`` must have been checked."""
        self.config = config
        self.course = Course(config)
        self.events: list[Event] = []
        self.over: str | None = None
        """Why it is over, once it is."""
        self._openings = list(config.openings)
        Random(f"{config.seed}/openings").shuffle(self._openings)

    @classmethod
    def replay(cls, config: Config, events: Iterable[Event]) -> Self:
        """Return the tournament that these events made. Raises ValueError if they do not form such a tournament."""
        found = cls(config)
        for event in events:
            found.apply(event)
        return found

    # ---------------------------------------------------------------- the games to play

    def due(self) -> list[Due]:
        """Return all games of the present round that have no result yet, those going on included, in order."""
        if self.over is not None or not self.course.rounds:
            return []
        before = sum(len(bouts) for bouts in self.course.rounds[:-1])
        return [
            self._due(bout, number, before + place)
            for place, bout in enumerate(self.course.rounds[-1])
            for number in range(1, self._wanted(bout) + 1)
            if number not in bout.games
        ]

    def awaits(self, slot: Slot) -> bool:
        """Return whether a game has no result, and is to be played as far as the results of its pairing tell: a
        knockout's pairing can be decided early, or have extra games.
        """
        bout = self.course.rounds[slot.round - 1][slot.board - 1]
        return self.over is None and slot.game not in bout.games and slot.game <= self._wanted(bout)

    def _wanted(self, bout: Bout) -> int:
        """Return the number of games of a pairing, as far as its results tell."""
        return 0 if bout.bye else self.config.format.games_wanted(self.course, bout)

    def _due(self, bout: Bout, number: int, bouts_before: int) -> Due:
        pair = (number - 1) // 2
        opening = None
        if self._openings:
            pairs = (self.config.games + 1) // 2
            opening = self._openings[(bouts_before * pairs + pair) % len(self._openings)]
        drawn = self._number(f"{bout.round}.{bout.board}/{pair}")
        return Due(bout.slot(number), bout.seats(number), opening, drawn)

    def _number(self, purpose: str) -> int:
        """Return a number of 63 bits that the seed draws for a purpose."""
        return int.from_bytes(sha256(f"{self.config.seed}/{purpose}".encode()).digest()[:8]) >> 1

    def advance(self, running: Collection[Slot] = ()) -> list[Event]:
        """Apply automatic steps: forfeit games of withdrawn players, pair rounds, end the tournament.

        Waits for games that are ``running``.
        """
        caused: list[Event] = []
        while self.over is None:
            lost = next(self._lost(running), None)
            if lost is not None:
                following: Event = lost
            elif self.course.rounds and self.due():
                break
            else:
                try:
                    following = Paired(self.config.format.next_round(self.course))
                except Over as end:
                    following = Finished(str(end))
            self.apply(following)
            caused.append(following)
        return caused

    def _lost(self, running: Collection[Slot]) -> Iterator[Unplayed]:
        """Yield the outcomes of due games with an absent player."""
        gone = self.course.withdrawn
        for due in self.due():
            missing = [player in gone for player in due.seats]
            if due.slot in running or not any(missing):
                continue
            first, second = missing if due.slot.game % 2 else reversed(missing)
            scores = (0.0, 0.0) if first and second else (0.0, 1.0) if first else (1.0, 0.0)
            yield Unplayed(due.slot, scores, "withdrawn")

    # ---------------------------------------------------------------- results and withdrawals

    def record(
        self,
        slot: Slot,
        result: str,
        match: int,
        payoff: float = ONE,
        points: tuple[float, float] | None = None,
    ) -> list[Event]:
        """Take in the result of a due game, with the payoff of the winner, or with the points of both seats in a game
        that is not zero-sum. Raises TournamentError, also for a result that does not count.
        """
        return self._happen(Played(slot, result, match, ONE if payoff == ONE else payoff, points))

    def strike(self, slot: Slot, reason: str) -> list[Event]:
        """Score a due game that cannot be played as 0 for both players. Raises TournamentError."""
        return self._happen(Unplayed(slot, (0.0, 0.0), reason))

    def withdraw(self, player: int, reason: str) -> list[Event]:
        """Withdraw a player. Raises TournamentError."""
        return self._happen(Withdrew(player, reason))

    def _happen(self, event: Event) -> list[Event]:
        self.apply(event)
        return [event]

    def apply(self, event: Event) -> None:
        """Apply a recorded event. Raises TournamentError when it cannot have happened."""
        if self.over is not None:
            raise TournamentError("the tournament is over")
        match event:
            case Paired(pairings):
                self._check_pairings(pairings)
                number = len(self.course.rounds) + 1
                bouts = [Bout(number, board, (each.first, each.second)) for board, each in enumerate(pairings, 1)]
                self.course.rounds.append(bouts)
            case Played(slot, result, match, payoff, points):
                bout = self._open(slot)
                try:
                    bout.games[slot.game] = bout.played(slot.game, result, match, payoff, points)
                except ValueError as error:
                    raise TournamentError(f"game {slot}: {error}") from None
            case Unplayed(slot, scores):
                self._open(slot).games[slot.game] = Game(scores)
            case Withdrew(player, reason):
                if not 0 <= player < len(self.config.entries) or player in self.course.withdrawn:
                    raise TournamentError(f"there is no player {player} to withdraw")
                self.course.withdrawn[player] = reason
            case Finished(reason):
                if self.due():
                    raise TournamentError("some games of the round have no result")
                self.over = reason
        self.events.append(event)

    def _open(self, slot: Slot) -> Bout:
        """Return the pairing of a due game. Raises TournamentError."""
        rounds = self.course.rounds
        if not (1 <= slot.round <= len(rounds) and 1 <= slot.board <= len(rounds[slot.round - 1])):
            raise TournamentError(f"game {slot} belongs to no pairing")
        bout = rounds[slot.round - 1][slot.board - 1]
        if slot.game in bout.games:
            raise TournamentError(f"game {slot} has a result already")
        if not 1 <= slot.game <= self._wanted(bout):
            raise TournamentError(f"game {slot} is not due")
        return bout

    def _check_pairings(self, pairings: Collection[Pairing]) -> None:
        if self.due():
            raise TournamentError("the round before is not complete")
        players = [player for each in pairings for player in (each.first, each.second) if player is not None]
        if not pairings or not all(0 <= player < len(self.config.entries) for player in players):
            raise TournamentError("a round needs pairs of entries")
        if not self.config.format.meets_itself and any(each.first == each.second for each in pairings):
            raise TournamentError("a player cannot play against itself")
