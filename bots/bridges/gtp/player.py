# SPDX-License-Identifier: GPL-3.0-or-later
"""An outside GTP program as a bot, for Go and Othello. It gets the start, the moves and the clocks.

Each match has an engine process of its own. The referee gets each move as the engine wrote it,
also one that is not legal.
"""

import re
import time
from collections.abc import Sequence
from hashlib import sha256

from bots.bot import Answer, Bot, Match, Over, Resign, Turn
from bots.bridges.gtp.boards import COLOURS, GO, OTHELLO, PASS, SETUP_OTHELLO, GtpBoard, board_of, boards, setup
from bots.bridges.gtp.process import GtpProcess, GtpRefused
from bots.bridges.player import HELD_BACK, LONGEST, MARGIN, PATIENCE
from bots.bridges.process import EngineFailed
from bots.bridges.spec import EngineSpec
from bots.bridges.stoppable import StoppableSearch
from engine.game import Game, Position
from engine.games import find
from engine.time_control import TimeControl

_LONGEST_VERSION = 64


class GtpMaker:
    """Makes a bot for each match of one outside engine."""

    def __init__(self, spec: EngineSpec) -> None:
        unknown = [name for name in spec.games if name not in boards()]
        if unknown:
            raise ValueError(f"GTP programs play {', '.join(boards())}, not {unknown[0][:40]!r}")
        self.spec = spec
        self.description = f"{spec.title}, an outside engine."
        self.version = ""
        """The engine's name and arguments; empty before the first query."""
        self.games: tuple[str, ...] | None = spec.games or None
        """The games that it plays; None before the first query."""

    async def try_out(self) -> None:
        """Start the engine once, and query its name and its games. Raises EngineFailed."""
        if self.version:
            return
        engine = await GtpProcess.start(self.spec, tell_errors=True)
        try:
            games = self.games or await _games(engine)
        finally:
            await engine.close()
        if not games:
            sizes = ", ".join(str(board.size) for board in boards().values())
            raise EngineFailed(f"{self.spec.title}: it has no board of a size that is played here ({sizes})")
        self.games = games
        self.version = _version(engine.name, self.spec)

    def __call__(self) -> "GtpBot":
        """Return a new bot. Its engine starts with its match."""
        return GtpBot(self)


async def _games(engine: GtpProcess) -> tuple[str, ...]:
    """Return the games of an engine: those of ``list_games``; without that command Othello, if the engine supports only
    its boards, else Go.
    """
    listed = await engine.attempt("list_games") if engine.commands is not None else None
    sizes = set()
    for size in sorted({board.size for board in boards().values()}, reverse=True):
        if await engine.attempt(f"boardsize {size}") is not None:
            sizes.add(size)
    if listed:
        families = {word.capitalize() for word in listed.split()}
    else:
        families = {GO} if any(board_of(GO, size) is not None for size in sizes) else {OTHELLO}
    return tuple(board.game for board in boards().values() if board.family in families and board.size in sizes)


class GtpBot(Bot):
    """Plays Go or Othello as an outside engine does."""

    def __init__(self, maker: GtpMaker) -> None:
        self.name = maker.spec.title
        self.description = maker.description
        self.version = maker.version or "1"
        self.games = maker.games or tuple(boards())
        self._maker = maker
        self._spec = maker.spec
        self._engine: GtpProcess | None = None
        self._followed: _Followed | None = None
        """The match as the engine knows it; None: it knows none yet."""
        self._late = 0.0
        """Seconds of the clock that starting the engine may have cost."""
        self._control: TimeControl | None = None
        """The engine's time control."""
        self._search = StoppableSearch[str](self.name, EngineFailed)

    async def prepare(self, games: Sequence[str]) -> None:
        """See whether the engine works. Raises EngineFailed."""
        await self._maker.try_out()
        self.version = self._maker.version
        self.games = self._maker.games or self.games

    async def match_started(self, match: Match) -> None:
        """Start an engine for the match, and tell it the moves so far. Raises EngineFailed."""
        control = None if match.time_control is None else TimeControl.parse(match.time_control)
        self._control = None if control is None or not control.timed else control.of(match.seat)
        moves = (*match.opening, *(played.move for played in match.moves))
        await self._set_up(match.game, match.start, moves)

    async def move(self, turn: Turn) -> Answer:
        """Return the engine's answer: a move, legal or not, or that it resigns.

        Raises EngineFailed when the engine died, hangs, or complains.
        """
        try:
            answer = await self._search.result(self._ask(turn))
        except EngineFailed:
            if self._search.stopped:
                # GTP has no command that stops a search
                await self.close()
            raise
        if answer.lower() == "resign":
            return Resign()
        if self._followed is not None:
            self._followed.follow(answer)
        return answer[:100] or "(none)"

    async def match_over(self, over: Over) -> None:
        """End the engine."""
        await self.close()

    def stop(self, match: int) -> None:
        """End the engine's search: its move is not needed any more."""
        self._search.stop()

    async def close(self) -> None:
        """End the engine, if one runs."""
        engine, self._engine = self._engine, None
        self._followed = None
        if engine is not None:
            await engine.close()

    # ---------------------------------------------------------------- what the engine gets

    async def _ask(self, turn: Turn) -> str:
        """Tell the engine the opponent's move and the clock, and return the text that it answers."""
        engine = await self._arrive(turn)
        colour = COLOURS[turn.seat]
        if turn.legal_moves == [PASS] and turn.game.startswith("othello"):
            # some programs pass by themselves, and know no such command
            await engine.attempt(f"play {colour} {PASS}")
            return PASS
        within = await self._tell_time(engine, turn)
        try:
            answer = await engine.ask(f"genmove {colour}", within)
        except GtpRefused as reason:
            raise EngineFailed(f"{self.name}: it refuses to move: {reason}") from None
        return answer.split("\n")[0].strip()

    async def _arrive(self, turn: Turn) -> GtpProcess:
        """Go to the position of a turn; set that position up if the turn does not follow."""
        followed = self._followed
        if followed is None or self._engine is None or followed.game.name != turn.game:
            return await self._set_up(turn.game, turn.position, ())
        if turn.last_move is not None and followed.text != turn.position:
            seat = followed.position.to_move
            if followed.follow(turn.last_move) and followed.text == turn.position:
                await self._play(self._engine, followed.board, seat, turn.last_move)
        if followed.text != turn.position:
            return await self._set_up(turn.game, turn.position, ())
        return self._engine

    async def _set_up(self, name: str, start: str, moves: Sequence[str]) -> GtpProcess:
        """Bring an engine, started if none runs, to the position after some moves."""
        board = boards().get(name)
        if board is None:
            raise EngineFailed(f"{self.name} does not play {name}")
        engine = self._engine
        if engine is None:
            began = time.monotonic()
            engine = self._engine = await GtpProcess.start(self._spec)
            self._late = time.monotonic() - began
        followed = self._followed = _Followed(board, find(name), start)
        if engine.commands is not None:
            await engine.attempt(f"set_game {board.family}")
        await self._obey(engine, f"boardsize {board.size}", "it has no such board")
        await self._obey(engine, "clear_board", "it cannot begin a game")
        if board.komi is not None and engine.knows("komi"):
            await self._obey(engine, f"komi {board.komi:g}", "it refuses the komi")
        await self._tell_time_control(engine)
        if not followed.usual:
            await self._tell_position(engine, board, start)
        for move in moves:
            seat = followed.position.to_move
            if not followed.follow(move):
                raise EngineFailed(f"{self.name} cannot follow {move!r}, which is not legal")
            await self._play(engine, board, seat, move)
        return engine

    async def _tell_position(self, engine: GtpProcess, board: GtpBoard, start: str) -> None:
        if board.family == OTHELLO and (engine.commands is None or SETUP_OTHELLO not in engine.commands):
            raise EngineFailed(f"{self.name}: it plays from the usual start only; GTP sets up no position of Othello")
        for command in setup(board, start):
            await self._obey(engine, command, "it refuses the position")

    async def _play(self, engine: GtpProcess, board: GtpBoard, seat: int, move: str) -> None:
        command = f"play {COLOURS[seat]} {move}"
        if board.family == OTHELLO and move == PASS:
            await engine.attempt(command)
        else:
            await self._obey(engine, command, f"it rejects the move {move}")

    async def _obey(self, engine: GtpProcess, command: str, refusal: str) -> None:
        try:
            await engine.ask(command)
        except GtpRefused as reason:
            raise EngineFailed(f"{self.name}: {refusal}: {command!r}: {reason}") from None

    # ---------------------------------------------------------------- time

    async def _tell_time_control(self, engine: GtpProcess) -> None:
        """Send the time control in whole seconds. GTP has no increments; they appear only in ``time_left``."""
        control, seconds = self._control, self._spec.allowance.seconds
        if control is None:
            if seconds is not None:
                await engine.attempt(f"time_settings 0 {_whole(seconds)} 1")
        elif control.per_move:
            await engine.attempt(f"time_settings 0 {_whole(control.base / 1000)} 1")
        elif control.moves is not None:
            await engine.attempt(f"time_settings 0 {_whole(control.base / 1000)} {control.moves}")
        else:
            await engine.attempt(f"time_settings {_whole(control.initial / 1000)} 0 0")

    async def _tell_time(self, engine: GtpProcess, turn: Turn) -> float:
        """Tell the engine its clock, and return the seconds after which its search is given up."""
        late, self._late = self._late, 0.0
        if turn.clocks is None:
            seconds = self._spec.allowance.seconds
            return LONGEST if seconds is None else _whole(seconds) + PATIENCE
        own = turn.clocks[turn.seat] / 1000
        told = max(0, int(own - late - min(MARGIN, HELD_BACK * own)))
        stones = turn.moves_to_go or 0
        await engine.attempt(f"time_left {COLOURS[turn.seat]} {told} {stones}")
        return own + PATIENCE


class _Followed:
    """A match as the engine knows it."""

    def __init__(self, board: GtpBoard, game: Game, start: str) -> None:
        self.board = board
        self.game = game
        self.position: Position = game.look(game.parse_position(start))
        self.usual = self.text == game.format_position(game.start())
        """Whether the match begins at the game's own start."""

    @property
    def text(self) -> str:
        """The present position."""
        return self.game.format_position(self.position.state)

    def follow(self, move: str) -> bool:
        """Make a move; returns False, and does nothing, if it is not legal."""
        try:
            self.position = self.game.play(self.position, self.game.parse_move(self.position, move))
        except ValueError:
            return False
        return True


def _whole(seconds: float) -> int:
    """Return a time as GTP writes it; 0 would mean none."""
    return max(1, int(seconds))


def _version(name: str, spec: EngineSpec) -> str:
    """Return the identity for ratings: the engine's name, and the arguments of its command, which change its play."""
    limit = () if spec.allowance.seconds is None else (f"{_whole(spec.allowance.seconds)}s",)
    told = re.sub(r"[^ -~]", "?", " ".join((name, *spec.command[1:], *limit)))
    if len(told) <= _LONGEST_VERSION:
        return told
    return f"{told[: _LONGEST_VERSION - 9]} {sha256(told.encode()).hexdigest()[:8]}"
