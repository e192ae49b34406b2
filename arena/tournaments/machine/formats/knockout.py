# SPDX-License-Identifier: GPL-3.0-or-later
"""Knockout: losers are eliminated. The best seeds can only be paired in the last rounds, and have the byes of the first
round.

Players are numbered from 0 in the order of their seeds.
"""

from collections.abc import Sequence, Set
from typing import Annotated

from msgspec import Meta

from arena.tournaments.machine.course import Bout, Course, End, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.format import Format
from arena.tournaments.machine.invalid import InvalidSetting

Pair = tuple[int, int | None]
"""Two players, or one with a bye."""


class Knockout(Format, frozen=True):
    """Losers are eliminated. A pairing has at most the given number of matches; the winner advances.

    After a tie, pairs of games follow, and after ``extra`` games the better seed advances.
    """

    third_place: Annotated[bool, Meta(description="also play for the third place")] = False
    extra: Annotated[
        int,
        Meta(
            description="maximum number of matches after a tie; then the player that stands earlier in the list of "
            "players wins"
        ),
    ] = 4
    tie_breaks = ("rounds survived",)
    ranked_by_points = False
    overview = "bracket"
    seeded = True

    def check(self, players: int, games: int) -> None:
        """Raise ValueError if the tournament is impossible."""
        super().check(players, games)
        if self.extra < 0 or self.extra % 2:
            raise InvalidSetting(
                "format.extra", f"the number of extra games must be even and not negative (got {self.extra})"
            )
        if self.third_place and players < 4:
            raise InvalidSetting(
                "format.third_place", f"a game for the third place needs four players or more (got {players})"
            )

    def rounds_planned(self, players: int) -> int:
        """Return the number of rounds."""
        return rounds(players)

    def games_planned(self, course: Course) -> int:
        """Return the number of games if no further pairing is decided early or tied."""
        games = course.config.games
        paired = [bout for bout in course.bouts if not bout.bye]
        known = (
            len(bout.games) if self._complete(course, bout) else max(games, self.games_wanted(course, bout))
            for bout in paired
        )
        return sum(known) + (course.players - 1 + self.third_place - len(paired)) * games

    def next_round(self, course: Course) -> tuple[Pairing, ...]:
        """Pair the winners of neighbouring boards. Raises Over."""
        total = self.rounds_planned(course.players)
        if not course.rounds:
            pairs = first_round(course.players)
        elif len(course.rounds) == total:
            raise Over(End.ROUNDS)
        else:
            newest = course.rounds[-1]
            pairs = next_round([advancing(course, bout) for bout in newest])
            if self.third_place and len(course.rounds) == total - 1:
                one, other = sorted(
                    player
                    for bout in newest
                    for player in bout.players
                    if player != advancing(course, bout) and player is not None
                )
                pairs.append((one, other))
        return tuple(Pairing(first, second) for first, second in pairs)

    def games_wanted(self, course: Course, bout: Bout) -> int:
        """Return the number of games to play so far: two at a time, until one player's lead is decisive."""
        best_of = course.config.games
        seen = 0
        while True:
            following = range(seen + 1, min(seen + 2, best_of if seen < best_of else best_of + self.extra) + 1)
            if not following or decided(bout, seen, best_of):
                return seen
            seen = following[-1]
            if not all(game in bout.games for game in following):
                return seen

    def winner(self, course: Course, bout: Bout) -> int | None:
        """Return the player that advances, once the pairing is decided."""
        return advancing(course, bout) if self._complete(course, bout) else None

    def _complete(self, course: Course, bout: Bout) -> bool:
        return bout.bye or len(bout.games) >= self.games_wanted(course, bout)

    def tie_break_columns(
        self, course: Course, points: Sequence[float], wins: Sequence[int], annulled: Set[int]
    ) -> tuple[Sequence[float], ...]:
        """Return the number of rounds that each entry won or is still in; half a round more for the winner of the third
        place.
        """
        total = self.rounds_planned(course.players)
        survived = [0.0] * course.players
        for number, bouts in enumerate(course.rounds, 1):
            for bout in bouts:
                complete = self._complete(course, bout)
                if number == total and bout.board > 1:
                    survived[advancing(course, bout)] += 0.5 if complete else 0.0
                elif complete:
                    survived[advancing(course, bout)] = number
        return (survived,)


FORMAT = Knockout


def advancing(course: Course, bout: Bout) -> int:
    """Return the player that advances: the one with the higher score, else the one that has not withdrawn, else the
    better seed.
    """
    first, second = bout.players
    if second is None:
        return first
    one, other = bout.points
    if one != other:
        return first if one > other else second
    return min(first, second, key=lambda player: (player in course.withdrawn, player))


def decided(bout: Bout, seen: int, best_of: int) -> bool:
    """Return whether the first ``seen`` games decide a pairing."""
    lead = sum(bout.games[game].scores[0] - bout.games[game].scores[1] for game in range(1, seen + 1))
    return abs(lead) > max(0, best_of - seen)


def rounds(players: int) -> int:
    """Return the number of rounds until one winner is left. Raises ValueError for fewer than two players."""
    if players < 2:
        raise ValueError(f"a knockout needs two players, not {players}")
    return (players - 1).bit_length()


def first_round(players: int) -> list[Pair]:
    """Return the pairs of the first round, in the order of the bracket: winners of neighbours meet in the next.

    Raises ValueError for fewer than two players.
    """
    order = [0]
    for _ in range(rounds(players)):
        # each seed is joined by the one that completes the sum of its round
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return [
        (one, other if other < players else None)
        for one, other in (sorted(pair) for pair in zip(order[::2], order[1::2], strict=True))
    ]


def next_round(winners: Sequence[int]) -> list[Pair]:
    """Return the pairs of the winners of a round, which are in the order of the bracket; the better seed is first."""
    pairs = (sorted(pair) for pair in zip(winners[::2], winners[1::2], strict=True))
    return [(one, other) for one, other in pairs]
