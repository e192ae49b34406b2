# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot as a GTP engine (version 2): the commands of a controller such as GoGui, and their answers.

Games have the arena's rules: Go with area scoring, positional superko and the komi of each board. Commands are answered
one after another; a search is not interrupted.
"""

import contextlib
import io
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bots.bridges.gtp.asked import AskedBot
from bots.bridges.gtp.boards import COLOURS, GO, PASS, GtpBoard, board_of, boards
from bots.bridges.gtp.played import PlayedGame
from bots.bridges.gtp.times import Times, count, seconds
from bots.failure import reason_of
from engine.formats import movetext, sgf

_SILENCE = 2.0
"""Seconds after which compiling is explained."""

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_COLOUR = {"b": 0, "black": 0, "w": 1, "white": 1}

Words = list[str]


class Refusal(Exception):
    """A command that fails; the message is the answer."""


class GtpDialogue:
    """A GTP engine. ``say`` writes an answer, with its empty line; ``explain`` a line for people."""

    def __init__(
        self, name: str, bot: AskedBot, board: GtpBoard, say: Callable[[str], None], explain: Callable[[str], None]
    ) -> None:
        self._name = name
        self._bot = bot
        self._board = board
        self._game: PlayedGame | None = None
        """None until a command needs it: the rules have to be compiled."""
        self._say = say
        self._explain = explain
        self._times: tuple[Callable[[Words], Times | None], Words] | None = None
        """How the clocks are set at the start of each game."""
        self._clocks: Times | None = None
        self._ended = False
        self._commands: dict[str, Callable[[Words], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: f"Bot Arena {self._name}",
            "version": lambda words: self._bot.version,
            "list_commands": lambda words: "\n".join(sorted(self._commands)),
            "known_command": lambda words: "true" if words[:1] and words[0] in self._commands else "false",
            "list_games": lambda words: "\n".join(self._families()),
            "set_game": self._set_game,
            "boardsize": self._set_size,
            "query_boardsize": lambda words: str(self._board.size),
            "clear_board": lambda words: self._begin(self._board),
            "komi": self._set_komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda words: self._played.drawing(),
            "final_score": self._score,
            "loadsgf": self._load,
            "time_settings": lambda words: self._set_times(Times.parse, words),
            "kgs-time_settings": lambda words: self._set_times(Times.parse_kgs, words),
            "time_left": self._time_left,
            "quit": self._quit,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Answer lines until ``quit`` or their end."""
        try:
            for line in lines:
                words = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].split()
                if words:
                    self._answer(words)
                if self._ended:
                    break
        finally:
            self._bot.end()

    def _answer(self, words: Words) -> None:
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        try:
            text, sign = self._obey(words), "="
        except Refusal as refusal:
            # a message may quote what a bot wrote; an empty line would end the answer
            text, sign = str(refusal).partition("\n")[0], "?"
        except Exception as error:
            text, sign = reason_of(error).partition("\n")[0], "?"
        self._say(f"{sign}{number[:20]} {text}\n")

    def _obey(self, words: Words) -> str:
        command = self._commands.get(words[0]) if words else None
        if command is None:
            raise Refusal("unknown command")
        return command(words[1:])

    # ---------------------------------------------------------------- games

    @property
    def _played(self) -> PlayedGame:
        if self._game is None:
            with self._compiling():
                self._game = PlayedGame(self._board)
        return self._game

    @contextlib.contextmanager
    def _compiling(self) -> Iterator[None]:
        """Explain a long wait."""
        patience = threading.Timer(_SILENCE, self._explain, ["compiling for this machine; later starts are quick"])
        patience.daemon = True
        patience.start()
        try:
            yield
        finally:
            patience.cancel()

    def _families(self) -> list[str]:
        games = self._bot.games
        return sorted({board.family for name, board in boards().items() if games is None or name in games})

    def _become(self, board: GtpBoard | None) -> str:
        games = self._bot.games
        if board is None or (games is not None and board.game not in games):
            raise Refusal("unacceptable size")
        return self._begin(board)

    def _begin(self, board: GtpBoard, game: PlayedGame | None = None) -> str:
        self._bot.new_game()
        self._board, self._game = board, game
        self._clocks = None
        if self._times is not None:
            parse, words = self._times
            self._clocks = parse(words)
        return ""

    def _set_size(self, words: Words) -> str:
        try:
            size = count(_only(words))
        except ValueError:
            raise Refusal("boardsize not an integer") from None
        return self._become(board_of(self._board.family, size))

    def _set_game(self, words: Words) -> str:
        family = _only(words).capitalize()
        if family not in self._families():
            raise Refusal("unsupported game")
        if family != self._board.family:
            games = self._bot.games
            sizes = {board.size: name for name, board in boards().items() if board.family == family}
            self._become(board_of(family, max(size for size, name in sizes.items() if games is None or name in games)))
        return ""

    def _set_komi(self, words: Words) -> str:
        try:
            komi = float(_only(words))
        except ValueError:
            raise Refusal("komi not a float") from None
        own = self._board.komi or 0
        if komi != own:
            raise Refusal(f"{self._board.game} is played with komi {own:g} only")
        return ""

    def _load(self, words: Words) -> str:
        if self._board.family != GO or len(words) not in (1, 2):
            raise Refusal("write the name of an SGF file of Go, and the number of a move")
        try:
            before = count(words[1]) if len(words) == 2 else None
            path = Path(words[0])
            if path.exists() and not path.is_file():
                raise Refusal(f"cannot open {words[0][:80]}: it is not a file")
            with path.open(encoding="utf-8", errors="replace") as file:
                # the first game ends within this many characters, because longer games are refused
                begin = io.StringIO(file.read(2 * movetext.LIMIT))
            record = next(iter(sgf.read(begin)), None)
        except OSError as error:
            raise Refusal(f"cannot open {words[0][:80]}: {error.strerror}") from None
        except ValueError as error:
            raise Refusal(f"cannot read {words[0][:80]}: {error}") from None
        if record is None:
            raise Refusal(f"cannot read {words[0][:80]}: it holds no game")
        board = boards()[record.game]
        games = self._bot.games
        if games is not None and board.game not in games:
            raise Refusal("unacceptable size")
        moves = [*record.opening, *(move.move for move in record.moves)]
        played = PlayedGame(board, record.start)
        played.play_all(moves if before is None else moves[: max(0, before - 1)])
        return self._begin(board, played)

    # ---------------------------------------------------------------- moves

    def _play(self, words: Words) -> str:
        if len(words) != 2:
            raise Refusal("invalid color or coordinate")
        try:
            self._played.play(_seat(words[0]), words[1])
        except ValueError as error:
            raise Refusal(f"illegal move: {error}") from None
        return ""

    def _genmove(self, words: Words) -> str:
        seat = _seat(_only(words))
        text = self._think(seat)
        if text != "resign" and not self._played.position.over:
            try:
                self._played.play(seat, text)
            except ValueError as error:
                raise Refusal(f"{self._name} played an illegal move: {error}") from None
        return _vertex(text)

    def _reg_genmove(self, words: Words) -> str:
        return _vertex(self._think(_seat(_only(words)), charged=False))

    def _think(self, seat: int, *, charged: bool = True) -> str:
        """Return the bot's move for a seat, "pass" if the game is over, or "resign"."""
        played = self._played
        before = len(played.moves)
        if not played.turn_to(seat):
            raise Refusal(f"{COLOURS[seat]} is not to move")
        try:
            if played.position.over:
                return PASS
            with self._compiling():
                self._bot.prepare(played.board.game)
            text, spent = self._bot.move(played, self._clocks)
        finally:
            played.cut(before)
        if charged and self._clocks is not None:
            self._clocks.spend(seat, spent)
        return "resign" if text is None else text

    def _undo(self, words: Words) -> str:
        if not self._played.undo():
            raise Refusal("cannot undo")
        return ""

    def _score(self, words: Words) -> str:
        try:
            return self._played.score()
        except ValueError as error:
            raise Refusal(f"cannot score: {error}") from None

    # ---------------------------------------------------------------- time

    def _set_times(self, parse: Callable[[Words], Times | None], words: Words) -> str:
        try:
            self._clocks = parse(words)
        except ValueError as error:
            raise Refusal(f"syntax error: {error}") from None
        self._times = parse, words
        return ""

    def _time_left(self, words: Words) -> str:
        if len(words) != 3:
            raise Refusal("write colour, time and stones")
        seat = _seat(words[0])
        try:
            left, stones = seconds(words[1]), count(words[2])
        except ValueError as error:
            raise Refusal(f"syntax error: {error}") from None
        if self._clocks is None:
            self._clocks = Times(left)
        self._clocks.tell(seat, left, stones)
        return ""

    def _quit(self, words: Words) -> str:
        self._ended = True
        return ""


def _only(words: Words) -> str:
    if len(words) != 1:
        raise Refusal("syntax error: write one argument")
    return words[0]


def _seat(text: str) -> int:
    seat = _COLOUR.get(text.lower())
    if seat is None:
        raise Refusal("invalid color or coordinate")
    return seat


def _vertex(text: str) -> str:
    """Return a move as GTP programs write it: points in capital letters, in one line."""
    return text if text in (PASS, "resign") else " ".join(text.upper().split())
