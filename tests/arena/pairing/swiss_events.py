# SPDX-License-Identifier: GPL-3.0-or-later
"""Swiss tournaments of simulated players, and what FIDE's absolute rules say of each of their rounds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from arena.pairing.swiss import Contender, Round, pair

POINTS = ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))


@dataclass
class Entered:
    """A player, and all that it did."""

    number: int
    points: float = 0.0
    opponents: list[int] = field(default_factory=list)
    colours: list[int] = field(default_factory=list)
    byes: int = 0
    floats: list[int] = field(default_factory=list)

    @property
    def contender(self) -> Contender:
        """The player as the next round sees it."""
        opponents, colours = frozenset(self.opponents), tuple(self.colours)
        return Contender(self.number, self.points, opponents, colours, self.byes > 0, tuple(self.floats))

    @property
    def must(self) -> int | None:
        """The seat that the player must have, counted as the rule says it: anew, and not as the pairing counts."""
        seats = Counter(self.colours)
        if seats[0] - seats[1] > 1 or self.colours[-2:] == [0, 0]:
            return 1
        if seats[1] - seats[0] > 1 or self.colours[-2:] == [1, 1]:
            return 0
        return None


def breaches(players: Sequence[Entered], found: Round, *, number: int, rounds: int) -> list[str]:
    """Return the absolute rules that a round breaks, in words; to be asked before it is played."""
    told = []
    seen = Counter([each for couple in found.pairs for each in couple] + ([] if found.bye is None else [found.bye]))
    if seen != Counter(range(len(players))):
        told.append("somebody is not paired, or twice")
    if found.bye is not None and players[found.bye].byes:
        told.append(f"{found.bye} has a second bye")
    for couple in found.pairs:
        one, other = (players[each] for each in couple)
        if other.number in one.opponents:
            told.append(f"{couple} meet again")
        top = number == rounds and max(one.points, other.points) > (rounds - 1) / 2
        for seat, player in enumerate((one, other)):
            if player.must == 1 - seat and not top:
                told.append(f"{player.number} must have seat {1 - seat} against {couple}")
    return told


def play(players: Sequence[Entered], found: Round, chance: Random) -> None:
    """Let a round have random results, in which the lower number is the stronger."""
    before = [each.points for each in players]
    for couple in found.pairs:
        lead = (couple[1] - couple[0]) / len(players)
        scores = chance.choices(POINTS, (0.4 + 0.3 * lead, 0.25, 0.35 - 0.3 * lead))[0]
        for seat in (0, 1):
            player, opponent = players[couple[seat]], couple[1 - seat]
            player.points += scores[seat]
            player.opponents.append(opponent)
            player.colours.append(seat)
            player.floats.append(
                (before[opponent] > before[player.number]) - (before[opponent] < before[player.number])
            )
    if found.bye is not None:
        players[found.bye].points += 1
        players[found.bye].byes += 1
        players[found.bye].floats.append(-1)


def tournament(size: int, rounds: int, seed: int) -> list[str]:
    """Play a tournament and return the broken rules."""
    chance = Random(seed)
    players = [Entered(number) for number in range(size)]
    told: list[str] = []
    for number in range(1, rounds + 1):
        last = (rounds - 1) / 2 if number == rounds else None
        found = pair([each.contender for each in players], last=last)
        told += [f"round {number}: {each}" for each in breaches(players, found, number=number, rounds=rounds)]
        play(players, found, chance)
    return told
