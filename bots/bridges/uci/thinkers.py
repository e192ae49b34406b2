# SPDX-License-Identifier: GPL-3.0-or-later
"""The players behind the UCI dialogue: positions in, moves and reports out.

A built-in bot passes the program's limits to ``engine.search``. Any other bot is asked for moves as in a match, and
uses its own time within the clock.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Protocol, TypeAlias, TypeVar

from arena.protocol.messages import Match, Over, PlayedMove, Player, Turn
from bots.bot import DECIDED, Reply
from bots.bridges.uci.commands import Go, Place, PlayedLine
from bots.built_in.course import Pace, line, pace
from bots.built_in.kinds.searching import Searching, entry_bytes, new_searcher
from bots.catalogue import BotMaker
from engine.games import find
from engine.search import Iteration, Limits, Searcher, Stop
from engine.search.memory import MAX_DEPTH

OTHERS_BITS = 18
"""Of the table of the searches for lines after the best one, as a power of two of entries."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class InfoLine:
    """The content of an ``info`` line: a search so far, for the side to move; None: unknown."""

    depth: int | None = None
    centipawns: int | None = None
    mate: int | None = None
    """Moves to the mate that was found, negative when the side to move is mated; takes the place of centipawns."""
    nodes: int | None = None
    full: float | None = None
    """How much of the table is in use, from 0 to 1."""
    seconds: float | None = None
    line: tuple[str, ...] = ()
    """The principal variation."""
    rank: int | None = None
    """Which of several lines it is, from 1 on; None where one is asked for."""


Tell: TypeAlias = Callable[[InfoLine], None]


class Halt:
    """Ends a search from another thread; may be set before the search begins."""

    def __init__(self) -> None:
        self._set = False
        self._action: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def set(self) -> None:
        """End the search."""
        with self._lock:
            self._set = True
            self._act()

    def calls(self, action: Callable[[], None]) -> None:
        """Set the function that stops the search; called once."""
        with self._lock:
            self._action = action
            self._act()

    def _act(self) -> None:
        if self._set and self._action is not None:
            self._action()
            self._action = None


class Thinker(Protocol):
    """A player behind the dialogue. All but ``pace`` are called from one thread."""

    def prepare(self) -> None:
        """Load and compile the bot's code."""

    def new_game(self) -> None:
        """Reset the state of the game: the next position is of another game."""

    def resize(self, megabytes: int) -> None:
        """Set the memory for the transposition table, if the player has one."""

    def show(self, lines: int) -> None:
        """Report this number of lines at each depth from now on, the best first, if the search can."""

    def place(self, place: Place) -> str | None:
        """Set a position up; returns the problem, for people, if it is invalid. The position is then the last valid
        one.
        """

    def pace(self, go: Go) -> Pace | None:
        """Return the time for a move by the clocks of ``go`` and the player's own time management, in seconds; None: no
        bound.
        """

    def think(self, go: Go, time_left: Pace | None, halt: Halt, tell: Tell) -> tuple[str, ...]:
        """Search until the limits of ``go``, the end of the time, or ``halt``; returns the move and the answer that is
        expected to it, where known. No move: the game is over.
        """

    def end(self) -> None:
        """Release resources."""


class SearchThinker:
    """A built-in bot behind the dialogue. Limits of depth, nodes or time replace its own; a clock replaces its time
    alone.
    """

    def __init__(self, settings: Searching) -> None:
        self._settings = settings
        self._game = find("chess")
        self._line = PlayedLine(self._game)
        self._bits = 1
        self._lines = 1
        self._searcher: Searcher | None = None

    def prepare(self) -> None:
        """Compile, or load from the cache."""
        self._ready().warm_up()
        self._line.place(Place(None, ("e2e4",)))
        self._line.place(Place())

    def new_game(self) -> None:
        """Reset the bot."""
        self._ready().clear()

    def resize(self, megabytes: int) -> None:
        """Set the memory for the transposition table, rounded down to a power of two."""
        entries = megabytes * 2**20 // entry_bytes(self._settings)
        self._bits = max(1, entries.bit_length() - 1)
        self._searcher = None

    def show(self, lines: int) -> None:
        """Report this number of lines; the searches for the other lines do not change the best one."""
        self._lines = lines

    def place(self, place: Place) -> str | None:
        """Set a position up."""
        return self._line.place(place)

    def pace(self, go: Go) -> Pace | None:
        """Return the seconds for a move."""
        if go.move_time is not None:
            return Pace(inf, max(0.001, go.move_time / 1000))
        if go.infinite:
            return None
        if (clock := go.clock(self._line.position.to_move)) is not None:
            left, increment = clock
            return pace(left / 1000, increment / 1000, go.moves_to_go)
        own = None if go.depth or go.nodes or go.mate else self._settings.seconds
        return None if own is None else Pace(inf, own)

    def think(self, go: Go, time_left: Pace | None, halt: Halt, tell: Tell) -> tuple[str, ...]:
        """Search, and report each iteration."""
        game, position = self._game, self._line.position
        if position.over:
            return ()
        # a mate is looked for without leaving anything out
        searcher = Searcher(game, "advanced") if go.mate else self._ready()
        confined = self._line.legal(go.moves)
        if confined:
            searcher.confine(confined)
        began, nodes = time.monotonic(), 0
        stop = Stop()
        several = self._lines > 1

        def report(iteration: Iteration, pv: tuple[int, ...]) -> None:
            nonlocal nodes
            nodes += iteration.nodes
            told = InfoLine(
                depth=iteration.depth,
                nodes=nodes,
                full=searcher.fullness,
                seconds=time.monotonic() - began,
                line=line(game, position, pv),
                rank=1 if several else None,
            )
            tell(_valued(told, iteration, searcher))
            if several and pv:
                spent = time.monotonic() - began
                left = None if limits.seconds is None else limits.seconds - spent
                others = Limits(iteration.depth, limits.nodes, left)
                for other in self._others(go, confined or position.moves, pv[0], others, stop):
                    tell(replace(other, seconds=time.monotonic() - began))

        halt.calls(stop.set)
        limits = self._limits(go)
        if time_left is not None:
            limits = replace(limits, seconds=time_left.hard, soft_seconds=time_left.soft)
        found = searcher.search(position.state, limits, history=self._line.history, stop=stop, on_iteration=report)
        if confined:
            searcher.confine(())
        return line(game, position, found.pv)[:2]

    def _others(self, go: Go, moves: Sequence[int], best: int, limits: Limits, stop: Stop) -> Iterator[InfoLine]:
        """Yield the lines after the best one at a depth: each search leaves out the first moves of those before.

        They end with the first that is not finished.
        """
        game, position = self._game, self._line.position
        left = [move for move in moves if move != best]
        searcher = Searcher(game, "advanced") if go.mate else new_searcher(Searcher, self._settings, game, OTHERS_BITS)
        ends = None if limits.seconds is None else time.monotonic() + limits.seconds
        for rank in range(2, min(self._lines, len(moves)) + 1):
            seconds = None if ends is None else ends - time.monotonic()
            if stop.is_set() or (seconds is not None and seconds <= 0):
                return
            searcher.confine(left)
            found = searcher.search(
                position.state, replace(limits, seconds=seconds), history=self._line.history, stop=stop
            )
            last = found.iterations[-1]
            if found.move is None or last.depth != limits.depth:
                return
            told = InfoLine(depth=last.depth, nodes=found.nodes, line=line(game, position, found.pv), rank=rank)
            yield _valued(told, last, searcher)
            left.remove(found.move)

    def end(self) -> None:
        """Do nothing: there are no resources to release."""

    def _ready(self) -> Searcher:
        if self._searcher is None:
            self._searcher = new_searcher(Searcher, self._settings, self._game, self._bits)
        return self._searcher

    def _limits(self, go: Go) -> Limits:
        depth, nodes = go.depth, go.nodes
        if go.mate is not None:
            depth = min(depth or MAX_DEPTH, 2 * go.mate)
        if depth is None and nodes is None and go.move_time is None and not go.infinite:
            depth, nodes = self._settings.depth, self._settings.nodes
        return Limits(None if depth is None else min(depth, MAX_DEPTH), nodes)


def _valued(report: InfoLine, iteration: Iteration, searcher: Searcher) -> InfoLine:
    """Return the line with its score; for a forced win the score gives the number of plies to it."""
    evaluation, value = searcher.evaluation, iteration.value
    if 2 * abs(value) < evaluation.win:
        return replace(report, centipawns=round(100 * evaluation.pawn_units(value)))
    left = (abs(value) - evaluation.win) // (evaluation.sooner or 1)
    plies = max(1, len(report.line), iteration.depth - left)
    moves = (plies + 1) // 2
    return replace(report, mate=moves if value > 0 else -moves)


class AskThinker:
    """A bot behind the dialogue, with a match of its own for each game."""

    def __init__(self, maker: BotMaker) -> None:
        self._maker = maker
        self._bot = maker()
        self._game = find("chess")
        self._line = PlayedLine(self._game)
        self._match = 1
        self._told: tuple[str | None, tuple[str, ...]] | None = None
        """The bot's view of the match: its start and the moves."""
        self._loop = asyncio.new_event_loop()

    def prepare(self) -> None:
        """Let the bot get ready."""
        self._line.place(Place(None, ("e2e4",)))
        self._line.place(Place())
        self._wait(self._bot.prepare(["chess"]))

    def new_game(self) -> None:
        """Start a match, with a new bot."""
        self._leave()
        self._match += 1
        self._bot = self._maker()
        self._wait(self._bot.prepare(["chess"]))

    def resize(self, megabytes: int) -> None:
        """Leave the memory to the bot."""

    def show(self, lines: int) -> None:
        """Send the bot's search info: one line."""

    def place(self, place: Place) -> str | None:
        """Set a position up."""
        return self._line.place(place)

    def pace(self, go: Go) -> Pace | None:
        """Leave the time to the bot."""
        return None

    def think(self, go: Go, time_left: Pace | None, halt: Halt, tell: Tell) -> tuple[str, ...]:
        """Ask the bot for a move. Raises the bot's exceptions."""
        position = self._line.position
        if position.over:
            return ()
        seat, clocks = position.to_move, self._clocks(go)
        played = (self._line.start, self._line.moves)
        if self._told is None or self._told[0] != played[0] or self._told[1] != played[1][: len(self._told[1])]:
            self._wait(self._bot.match_started(self._whole(clocks)))
        turn = Turn(
            match=self._match,
            game="chess",
            ply=len(played[1]),
            position=self._game.format_position(position.state),
            seat=seat,
            last_move=played[1][-1] if played[1] else None,
            legal_moves=self._choices(go),
            clocks=clocks,
            increment=(go.clock(seat) or (0, 0))[1],
            moves_to_go=1 if go.move_time is not None else go.moves_to_go,
        )
        halt.calls(partial(self._bot.stop, self._match))
        answer = self._wait(self._bot.move(turn))
        if isinstance(answer, Reply):
            info = answer.info
            if info is not None:
                centipawns = None if info.score is None else round(100 * info.score)
                decided = info.score is not None and abs(info.score) >= DECIDED
                mate = self._line.mate(info.pv) if decided else None
                tell(
                    InfoLine(depth=info.depth, centipawns=centipawns, mate=mate, nodes=info.nodes, line=tuple(info.pv))
                )
            answer = answer.move
        if not isinstance(answer, str):
            # UCI knows no resignation: it plays on
            answer = self._game.format_move(position.state, position.moves[0])
        self._told = played[0], (*played[1], answer)
        return (answer,)

    def end(self) -> None:
        """Let the bot close."""
        self._leave()
        self._loop.close()

    def _leave(self) -> None:
        if self._told is not None:
            self._wait(self._bot.match_over(Over(self._match, "*", None, "void", "the program began another game")))
            self._told = None
        self._wait(self._bot.close())

    def _choices(self, go: Go) -> list[str]:
        """Return the legal moves, of those that may be played if any of them is legal."""
        position = self._line.position
        return [self._game.format_move(position.state, move) for move in self._line.legal(go.moves) or position.moves]

    def _clocks(self, go: Go) -> tuple[int, int] | None:
        """Return both clocks; time for one move is a clock too."""
        if go.move_time is not None:
            return go.move_time, go.move_time
        white, black = go.white_time, go.black_time
        if white is None and black is None:
            return None
        return white if white is not None else black or 0, black if black is not None else white or 0

    def _whole(self, clocks: tuple[int, int] | None) -> Match:
        line, position = self._line, self._line.position
        start = self._game.start() if line.start is None else self._game.parse_position(line.start)
        return Match(
            match=self._match,
            game="chess",
            seat=position.to_move,
            players=(Player("white", ""), Player("black", "")),
            rated=False,
            time_control=None,
            start=self._game.format_position(start),
            opening=[],
            moves=[PlayedMove(move) for move in line.moves],
            position=self._game.format_position(position.state),
            ply=len(line.moves),
            to_move=position.to_move,
            clocks=clocks,
        )

    def _wait(self, answer: Result | Awaitable[Result]) -> Result:
        if isinstance(answer, Awaitable):
            return self._loop.run_until_complete(answer)
        return answer
