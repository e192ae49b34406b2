# SPDX-License-Identifier: GPL-3.0-or-later
"""The declaration of a tournament format: its options, checks, plan of rounds, order of standings, and view.

Each module of ``arena.tournaments.machine.formats`` declares one. The API, ``arena tournament create`` and the page of
a tournament read the declaration.
"""

from collections.abc import Sequence, Set
from typing import ClassVar, Literal

from msgspec import Struct

from arena.rating.sprt import Floats, SprtState
from arena.tournaments.machine.course import Bout, Course, End, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.invalid import InvalidSetting
from arena.tournaments.machine.tiebreaks import head_to_head, played_rounds, sonneborn_berger

MOST_CYCLES = 100


def kind(name: str) -> str:
    """Return the name of a format in JSON and on the command line, from its class: RoundRobin is "round-robin"."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Format(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=kind):
    """A tournament format. Its fields are its options.

    A field that is annotated with ``Meta(description=…)`` is documented in the API, and is an option of ``arena
    tournament create`` if it is a number, a word or a switch.
    """

    least: ClassVar[int] = 2
    """Minimum number of players."""
    most: ClassVar[int] = 1000
    """Maximum number of players."""
    tie_breaks: ClassVar[tuple[str, ...]] = ("head to head", "Sonneborn-Berger", "wins")
    """Names of the tie-breaks, in the order in which they count; ``tie_break_columns`` returns their values."""
    ranked_by_points: ClassVar[bool] = True
    """Whether the points come before the tie-breaks. No: players have different opponents, so points are no measure."""
    may_rank_by_payoff: ClassVar[bool] = False
    """Whether points a game may order the standings."""
    overview: ClassVar[Literal["crosstable", "bracket"] | None] = "crosstable"
    """The drawing of all pairings on the tournament's page."""
    seeded: ClassVar[bool] = False
    """Whether the strongest player should be the first, because the pairings follow the seeds."""
    heading: ClassVar[str] = ""
    """The name in forms; empty: that of the API."""
    together: ClassVar[dict[str, tuple[str, ...]]] = {}
    """Fields that one option of the command line takes together, as words NAME=VALUE."""

    @property
    def title(self) -> str:
        """The name for people."""
        return kind(type(self).__name__).replace("-", " ")

    @property
    def description(self) -> str:
        """The format and its most important options, for people."""
        return self.title

    @property
    def meets_itself(self) -> bool:
        """Whether each player also plays against itself."""
        return False

    def settled(self, own_play: bool) -> "Format":
        """Return the format of a new tournament, in which players also play against themselves if the game asks for
        it, the bots can, and the format leaves it open.
        """
        return self

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the format cannot be played by this number of players, or with this number of games in a
        pairing.
        """
        if not self.least <= players <= self.most:
            wanted = f"{self.least}" if self.least == self.most else f"at least {self.least}"
            if players > self.most > self.least:
                wanted = f"at most {self.most}"
            raise InvalidSetting("entries", f"a {self.title} takes {wanted} players, not {players}")

    def rounds_planned(self, players: int) -> int | None:
        """Return the number of rounds; None if it depends on the results."""
        return None

    def games_planned(self, course: Course) -> int | None:
        """Return the expected number of games of the whole tournament, or its limit; None if it has none."""
        return None

    def next_round(self, course: Course) -> tuple[Pairing, ...]:
        """Return the pairings of the round that follows the last one, which is complete. Raises Over."""
        raise NotImplementedError

    def games_wanted(self, course: Course, bout: Bout) -> int:
        """Return the number of games of a pairing, as far as its results tell; a pairing with a bye is not asked."""
        return course.config.games

    def schedule(self, players: int) -> list[list[tuple[int, int]]]:
        """Return the pairings of all rounds, if they are known before the first one; else an empty list."""
        return []

    def annulled(self, course: Course) -> frozenset[int]:
        """Return the withdrawn players whose games do not count."""
        return frozenset()

    def tie_break_columns(
        self, course: Course, points: Sequence[float], wins: Sequence[int], annulled: Set[int]
    ) -> tuple[Sequence[float], ...]:
        """Return the values of each of ``tie_breaks``, by player."""
        met = played_rounds(course, annulled)
        return head_to_head(met, points), sonneborn_berger(met, points), wins

    def winner(self, course: Course, bout: Bout) -> int | None:
        """Return the player that a decided pairing sends to the next round; None if the format sends none."""
        return None

    def test(self, course: Course) -> SprtState | None:
        """Return the state of the sequential test that ends the tournament, if one does."""
        return None

    def ratios(self, course: Course) -> Floats | None:
        """Return the log-likelihood ratio of the sequential test after each of its pairs of games, if there is one."""
        return None

    def misordered_share(self, course: Course) -> float | None:
        """Return the expected share of misordered pairs of players, if it ends the tournament."""
        return None


class ScheduledFormat(Format, frozen=True):
    """A format whose rounds are all known from the start; subclasses define ``schedule``."""

    may_rank_by_payoff = True

    def next_round(self, course: Course) -> tuple[Pairing, ...]:
        """Return the next round of the schedule. Raises Over."""
        rounds = self.schedule(course.players)
        if len(course.rounds) == len(rounds):
            raise Over(End.ROUNDS)
        return tuple(Pairing(first, second) for first, second in rounds[len(course.rounds)])

    def games_planned(self, course: Course) -> int:
        """Return the number of games of the schedule."""
        return course.config.games * sum(map(len, self.schedule(course.players)))

    def annulled(self, course: Course) -> frozenset[int]:
        """Return the players that withdrew before half of their games were played: these games do not count, because
        the opponents of the first rounds would have an advantage over the others (FIDE Handbook C.05, on round robins).
        """
        if not course.withdrawn:
            return frozenset()
        pairs = [pair for pairs in self.schedule(course.players) for pair in pairs]
        return frozenset(
            player
            for player in course.withdrawn
            if 2 * _played(course, player) < sum(player in pair for pair in pairs) * course.config.games
        )


def _played(course: Course, player: int) -> int:
    return sum(
        game.match is not None for bout in course.bouts if player in bout.players for game in bout.games.values()
    )


def check_cycles(cycles: int) -> None:
    """Raise ValueError if a tournament cannot have this number of cycles."""
    if not 1 <= cycles <= MOST_CYCLES:
        raise InvalidSetting("format.cycles", f"there are 1 to {MOST_CYCLES} cycles, not {cycles}")
