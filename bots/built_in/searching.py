# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots that search: apply a bot's depth, node and time limits to ``engine.search``."""

from collections.abc import Sequence
from typing import TypeVar

from bots.bot import DECIDED, Bot, Match, Over, Reply, Turn
from bots.built_in.course import Course, line
from bots.built_in.pacing import pace
from bots.built_in.random import seed
from bots.built_in.roster import Resident
from engine import games
from engine.game import Game, Position
from engine.search import ALGORITHMS, Limits, Searcher, SearchResult, Stop, Switch, altered
from engine.search.switches import PLAY

AnySearcher = TypeVar("AnySearcher", bound=Searcher)


class SearchingBot(Bot):
    """Plays the move its search finds, choosing among equal ones by seed. Give each match a bot of its own."""

    capacity = 16

    def __init__(self, resident: Resident) -> None:
        self.name = resident.name
        self.description = resident.description
        self._resident = resident
        self._searchers: dict[str, Searcher] = {}
        self._courses: dict[int, Course] = {}
        self._stop = Stop()

    def prepare(self, names: Sequence[str]) -> None:
        """Compile what following and searching these games need, or load it from the cache."""
        for game in map(games.find, names):
            start = game.look(game.start())
            game.play(start, start.moves[0])
            new_searcher(Searcher, self._resident, game).warm_up()

    def match_started(self, match: Match) -> None:
        """Learn which positions have stood."""
        course = self._courses[match.match] = Course(games.find(match.game))
        course.begin(match)

    def match_over(self, over: Over) -> None:
        """Forget the match."""
        self._courses.pop(over.match, None)
        self._stop = Stop()

    def move(self, turn: Turn) -> Reply:
        """Search the position and report the result."""
        game = games.find(turn.game)
        course = self._courses.setdefault(turn.match, Course(game))
        position = course.arrive(turn)
        stop = self._stop
        result = self._searcher(game).search(
            position.state,
            self._limits(turn),
            history=course.history,
            seed=seed(turn.match, self.name, turn.ply),
            stop=stop,
        )
        reply = self._reply(game, position, result)
        course.follow(reply.move)
        return reply

    def stop(self, match: int) -> None:
        """End the search that runs."""
        running, self._stop = self._stop, Stop()
        running.set()

    def _searcher(self, game: Game) -> Searcher:
        if game.name not in self._searchers:
            self._searchers[game.name] = new_searcher(Searcher, self._resident, game)
        return self._searchers[game.name]

    def _limits(self, turn: Turn) -> Limits:
        """The bot's own limits, and the time for this move."""
        resident = self._resident
        soft, hard = None, resident.seconds
        if turn.clocks is not None:
            allowed = pace(turn.clocks[turn.seat] / 1000, turn.increment / 1000, turn.moves_to_go)
            soft = allowed.soft
            hard = allowed.hard if hard is None else min(hard, allowed.hard)
        return Limits(resident.depth, resident.nodes, hard, soft)

    def _reply(self, game: Game, position: Position, result: SearchResult) -> Reply:
        if result.move is None:
            raise ValueError("the game is over")
        evaluation = self._searcher(game).evaluation
        # an average is far from the win of a line that may not come
        certain = evaluation.win if game.chance else evaluation.win // 2
        decided = abs(result.value) >= certain
        score = DECIDED * (1 if result.value > 0 else -1) if decided else evaluation.in_men(result.value)
        return Reply(
            game.format_move(position.state, result.move),
            score=score,
            depth=result.depth,
            nodes=result.nodes,
            pv=line(game, position, result.pv),
        )


def new_searcher(kind: type[AnySearcher], resident: Resident, game: Game, table_bits: int | None = None) -> AnySearcher:
    """Return a new searcher with a bot's settings; ``table_bits`` replaces its own."""
    assert resident.algorithm is not None, "a bot without an algorithm does not search"
    return kind(
        game,
        resident.algorithm,
        next((name for name in resident.evaluations if name in game.evaluations), None),
        quiescence=resident.extends,
        repetition=resident.extends,
        switches=switches(resident),
        table_bits=resident.table_bits if table_bits is None else table_bits,
    )


def entry_bytes(resident: Resident) -> int:
    """Return the size of an entry of the transposition table of such a searcher."""
    return 16 if switches(resident) & PLAY else 32


def switches(resident: Resident) -> Switch:
    """Return the switches of a bot's searches, without quiescence and repetition. Raises ValueError."""
    assert resident.algorithm is not None, "a bot without an algorithm does not search"
    own = ALGORITHMS[resident.algorithm].switches
    return altered(own, resident.switches) if resident.switches else own
