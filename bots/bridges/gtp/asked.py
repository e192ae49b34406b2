# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot that a GTP controller asks for moves. It gets the messages of an arena."""

import asyncio
import inspect
import time
from collections.abc import Awaitable
from typing import TypeVar

from arena.protocol.messages import Match, Over, PlayedMove, Player, Turn
from bots.bot import Reply, Resign
from bots.bridges.gtp.played import PlayedGame
from bots.bridges.gtp.times import Times
from bots.catalogue import BotMaker

Result = TypeVar("Result")


class AskedBot:
    """A bot, with a match of its own for each game. Used from one thread."""

    def __init__(self, maker: BotMaker) -> None:
        self._maker = maker
        self._bot = maker()
        self._match = 1
        self._told: tuple[str, list[str]] | None = None
        """The bot's view of the match: its game and start, and the moves; None: it knows of no match."""
        self._ready: set[str] = set()
        self._loop = asyncio.new_event_loop()

    @property
    def games(self) -> tuple[str, ...] | None:
        """The games that the bot plays; None: all."""
        return None if self._bot.games is None else tuple(self._bot.games)

    @property
    def version(self) -> str:
        """The bot's version."""
        return self._bot.version

    def prepare(self, game: str) -> None:
        """Let the bot load and compile its code for a game."""
        if game not in self._ready:
            self._wait(self._bot.prepare([game]))
            self._ready.add(game)

    def new_game(self) -> None:
        """End the match: the next one has a new bot."""
        if self._told is None:
            return
        self._told = None
        self._wait(self._bot.match_over(Over(self._match, "*", None, "void", "the controller began another game")))
        self._wait(self._bot.close())
        self._match += 1
        self._bot = self._maker()
        self._ready.clear()

    def move(self, played: PlayedGame, times: Times | None) -> tuple[str | None, float]:
        """Return the bot's move in a position that is not over, and the seconds it took; None: it resigns.

        Raises the bot's exceptions, and ValueError for an answer that is not a move.
        """
        self.prepare(played.board.game)
        key = f"{played.board.game} {played.start}"
        seat, moves = played.position.to_move, list(played.moves)
        told = self._told
        if told is None or told[0] != key or told[1] not in (moves, moves[:-1]):
            self._told = key, moves
            self._wait(self._bot.match_started(self._whole(played, times)))
        turn = Turn(
            match=self._match,
            game=played.board.game,
            ply=len(moves),
            position=played.game.format_position(played.position.state),
            seat=seat,
            last_move=moves[-1] if moves else None,
            legal_moves=list(played.game.move_texts(played.position)),
            clocks=None if times is None else times.clocks,
            increment=0 if times is None else times.increment(seat),
            moves_to_go=None if times is None else times.moves_to_go(seat),
        )
        began = time.monotonic()
        answer = self._wait(self._bot.move(turn))
        spent = time.monotonic() - began
        if isinstance(answer, Resign):
            return None, spent
        text = answer.move if isinstance(answer, Reply) else answer
        if not isinstance(text, str):
            raise ValueError(f"move() returned {text!r}"[:100])
        self._told = key, [*moves, text]
        return text, spent

    def end(self) -> None:
        """Let the bot close."""
        try:
            self.new_game()
            self._wait(self._bot.close())
        finally:
            self._loop.close()

    def _whole(self, played: PlayedGame, times: Times | None) -> Match:
        position = played.position
        return Match(
            match=self._match,
            game=played.board.game,
            seat=position.to_move,
            players=(Player("black", ""), Player("white", "")),
            rated=False,
            time_control=None,
            start=played.start,
            opening=[],
            moves=[PlayedMove(move) for move in played.moves],
            position=played.game.format_position(position.state),
            ply=len(played.moves),
            to_move=position.to_move,
            clocks=None if times is None else times.clocks,
        )

    def _wait(self, answer: Result | Awaitable[Result]) -> Result:
        if inspect.isawaitable(answer):
            return self._loop.run_until_complete(_awaited(answer))
        return answer


async def _awaited(answer: Awaitable[Result]) -> Result:
    return await answer
