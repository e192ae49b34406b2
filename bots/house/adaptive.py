# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot that learns whom it meets: it reads the other's public games, models it, and searches with that in mind."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bots.bot import Expected, Match, Over, Reply, Turn
from bots.house.acquaintances import Acquaintance, Acquaintances
from bots.house.course import Course
from bots.house.library import Shelf
from bots.house.roster import Resident
from bots.house.searching import SearchingBot
from bots.modelling.replay import Ply
from engine import games
from engine.game import CHANCE, Game
from engine.search.foresight import told

LEAST = 3
"""Games of a player from which on it is no stranger."""

SHOWN = 5
"""Expected answers that are told."""

Befriend = Callable[[str, str], Acquaintances]
"""Returns those whom a bot knows in the arena of an address, "" being no arena; it is let in there by a token."""

_known: dict[str, Acquaintances] = {}


def everybody(arena: str, token: str) -> Acquaintances:
    """Return those whom all adaptive bots of this process know in an arena: games are read and learned once."""
    return _known.setdefault(arena, Acquaintances(Shelf(arena, token) if arena else None))


class AdaptiveBot(SearchingBot):
    """Plays as its resident does against strangers; those whose games it has read it expects to play as they did."""

    def __init__(self, resident: Resident, befriend: Befriend = everybody) -> None:
        super().__init__(resident)
        self._befriend = befriend
        self._met: dict[int, Acquaintance] = {}
        self._heeded: object = None

    def prepare(self, names: Sequence[str]) -> None:
        """Compile what searching and learning these games need, or load it from the cache."""
        super().prepare(names)
        for game in map(games.find, names):
            Acquaintance(game, "").practise()

    def match_started(self, match: Match) -> None:
        """Find out who the opponent is, and begin to read its games where that is not known."""
        super().match_started(match)
        other = match.players[1 - match.seat].name
        if other:
            own = match.players[match.seat].name
            self._met[match.match] = self._befriend(self.arena, self.token).meet(games.find(match.game), other, own)

    def match_over(self, over: Over) -> None:
        """Forget the match; its moves are read with the other's next games."""
        super().match_over(over)
        self._met.pop(over.match, None)

    def move(self, turn: Turn) -> Reply:
        """Search the position, expecting what the opponent is likely to answer."""
        game = games.find(turn.game)
        met = self._met.get(turn.match)
        course = self._courses.setdefault(turn.match, Course(game))
        course.arrive(turn)
        if met is not None and met.games >= LEAST:
            self._heed(game, met, course)
        reply = super().move(turn)
        if met is None or met.games < LEAST or course.position is None or not course.position.moves:
            return reply
        expected = met.expect(course.position, [Ply(*each) for each in course.plies])
        written = tuple(Expected(game.format_move(course.position.state, move), belief) for move, belief in expected)
        return replace(reply, expected=written[:SHOWN])

    def _heed(self, game: Game, met: Acquaintance, course: Course) -> None:
        """Tell the search what is known of the opponent."""
        searcher = self._searcher(game)
        foresight = met.foresight
        if foresight is None or course.position is None:
            return
        if not met.trust:
            searcher.foresee(None, met.draw)
            return
        if self._resident.looks_up:
            past = [Ply(*each) for each in course.plies]
            here = course.position
            after = [(game.play(here, move), Ply(here.state, move)) for move in here.moves]
            foresight = told(
                foresight,
                [
                    (there.key, [(move, met.trust * belief) for move, belief in met.expect(there, [*past, ply])])
                    for there, ply in after
                    if there.to_move not in (here.to_move, CHANCE) and there.moves
                ],
            )
        searcher.foresee(foresight, met.draw)
