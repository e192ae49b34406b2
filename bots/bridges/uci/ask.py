# SPDX-License-Identifier: GPL-3.0-or-later
"""Any bot that plays chess as a UCI engine: it is asked for moves as in a match, and thinks as long as it likes within
the clock.
"""

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import TypeVar

from arena.protocol.messages import Match, Over, PlayedMove, Player, Turn
from bots.bot import DECIDED, Reply
from bots.bridges.uci.commands import Go, Place
from bots.bridges.uci.line import Line
from bots.bridges.uci.thinker import Halt, Report, Tell
from bots.built_in.pacing import Pace
from bots.catalogue import BotMaker
from engine.games import find

Result = TypeVar("Result")


class AskThinker:
    """A bot behind the dialogue, with a match of its own for each game."""

    def __init__(self, maker: BotMaker) -> None:
        self._maker = maker
        self._bot = maker()
        self._game = find("chess")
        self._line = Line(self._game)
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
                tell(Report(depth=info.depth, centipawns=centipawns, mate=mate, nodes=info.nodes, line=tuple(info.pv)))
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
