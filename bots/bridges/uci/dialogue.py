# SPDX-License-Identifier: GPL-3.0-or-later
"""The UCI dialogue between a chess program and a bot, on two streams.

The caller's thread answers each line as it comes; another thread loads and searches, in the order of the requests.
Invalid input is reported by ``info string`` and otherwise ignored.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from bots.bridges.uci import commands
from bots.bridges.uci.commands import Go, Place
from bots.bridges.uci.thinkers import Halt, InfoLine, Thinker
from bots.built_in.course import Pace

HASH = 64
"""Megabytes of the table unless the program says otherwise."""
LARGEST_HASH = 4096
MOST_LINES = 256
"""More than there are legal moves in any position of chess."""

_LAST_MOMENT = 1.0
"""Seconds that a player has to end."""
_SILENCE = 2.0
"""Seconds after which loading is explained."""


@dataclass(slots=True)
class _Search:
    """A search that was asked for and has no move yet."""

    asked: Go
    began: float
    halt: Halt = field(default_factory=Halt)
    released: threading.Event = field(default_factory=threading.Event)
    """Set when the move may be told: at once, unless the program wants to end the search itself."""
    clock: threading.Timer | None = None


class Dialogue:
    """A UCI engine. ``players`` are the names it can play as, ``make`` makes the player of a name; ``say`` writes a
    line and may be called from two threads, never at once.
    """

    def __init__(
        self, players: Sequence[str], player: str, make: Callable[[str], Thinker], say: Callable[[str], None]
    ) -> None:
        self._players = players
        self._player = player
        self._make = make
        self._write = say
        self._writing = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._worker = threading.Thread(target=self._run, name="thinking", daemon=True)
        self._thinker: Thinker | None = None
        self._searches: list[_Search] = []
        """Those that have no move yet, in the order in which they were asked for."""
        self._lock = threading.Lock()
        """Held while a search begins, is stopped or ends."""
        self._megabytes = HASH
        self._lines = 1

    def run(self, lines: Iterable[str]) -> bool:
        """Answer lines until ``quit`` or their end. Returns whether the other thread ended as well; it does not while
        it compiles.
        """
        self._worker.start()
        self._work.put(self._load)
        for line in lines:
            words = line.split()
            if words[:1] == ["quit"]:
                break
            if words:
                self._obey(words)
        self._stop()
        self._work.put(self._end)
        self._work.put(None)
        # compilation cannot be interrupted
        self._worker.join(timeout=_LAST_MOMENT if self._thinker is not None else 0.0)
        return not self._worker.is_alive()

    # ---------------------------------------------------------------- commands of the program

    def _obey(self, words: list[str]) -> None:
        match words:
            case ["uci"]:
                self._introduce()
            case ["isready"]:
                if self._searches and self._thinker is not None:
                    self._say("readyok")
                else:
                    self._work.put(lambda: self._say("readyok"))
            case ["ucinewgame"]:
                self._work.put(lambda: self._ready().new_game())
            case ["setoption", *rest]:
                self._set(" ".join(rest))
            case ["position", *rest]:
                self._place(rest)
            case ["go", *rest]:
                self._go(rest)
            case ["stop"]:
                self._stop()
            case ["ponderhit"]:
                self._ponderhit()
            case ["debug", _] | ["register", *_]:
                pass
            case _:
                self._tell(f"unknown command {' '.join(words)[:40]!r}")

    def _introduce(self) -> None:
        self._say(f"id name Bot Arena {self._player}")
        self._say("id author the authors of Bot Arena")
        self._say(f"option name Hash type spin default {HASH} min 1 max {LARGEST_HASH}")
        self._say(f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}")
        self._say("option name Clear Hash type button")
        self._say("option name Threads type spin default 1 min 1 max 1")
        self._say("option name Ponder type check default false")
        # in a list of words, a name is a word
        names = " ".join(f"var {name}" for name in self._players if len(name.split()) == 1)
        self._say(f"option name Bot type combo default {self._player} {names}")
        self._say("uciok")

    def _set(self, text: str) -> None:
        try:
            name, value = commands.option(text)
        except ValueError as error:
            self._tell(str(error))
            return
        match name.lower():
            case "hash" if value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= LARGEST_HASH:
                self._work.put(lambda: self._resize(int(value)))
            case "multipv" if value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= MOST_LINES:
                self._work.put(lambda: self._show(int(value)))
            case "clear hash":
                self._work.put(lambda: self._ready().new_game())
            case "bot" if value in self._players:
                self._work.put(lambda: self._become(value))
            case "hash" | "multipv" | "bot":
                self._tell(f"{name} cannot be {value[:40]!r}")
            case "threads" | "ponder":
                pass
            case _:
                self._tell(f"there is no option {name[:40]!r}")

    def _place(self, words: list[str]) -> None:
        try:
            place = commands.position(words)
        except ValueError as error:
            self._tell(str(error))
            return
        self._work.put(lambda: self._come_to(place))

    def _go(self, words: list[str]) -> None:
        asked, complaints = commands.go(words)
        for complaint in complaints:
            self._tell(complaint)
        search = _Search(asked, time.monotonic())
        if not (asked.infinite or asked.ponder):
            search.released.set()
        with self._lock:
            self._searches.append(search)
        self._work.put(lambda: self._think(search))

    def _stop(self) -> None:
        with self._lock:
            for search in self._searches:
                search.halt.set()
                search.released.set()

    def _ponderhit(self) -> None:
        with self._lock:
            for search in self._searches:
                if search.asked.ponder:
                    search.asked = replace(search.asked, ponder=False)
                    self._limit(search)
                    if not search.asked.infinite:
                        search.released.set()

    # ---------------------------------------------------------------- results of the search thread

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception as error:
                self._tell(f"{type(error).__name__}: {error}".partition("\n")[0])

    def _load(self) -> None:
        patience = threading.Timer(_SILENCE, lambda: self._tell("compiling for this machine; later starts are quick"))
        patience.daemon = True
        patience.start()
        try:
            thinker = self._make(self._player)
            thinker.resize(self._megabytes)
            thinker.show(self._lines)
            thinker.prepare()
            self._thinker = thinker
        finally:
            patience.cancel()

    def _ready(self) -> Thinker:
        if self._thinker is None:
            raise RuntimeError(f"the bot {self._player} is not loaded: loading it failed")
        return self._thinker

    def _resize(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._ready().resize(megabytes)

    def _show(self, lines: int) -> None:
        self._lines = lines
        self._ready().show(lines)

    def _become(self, player: str) -> None:
        self._end()
        self._player = player
        self._load()

    def _come_to(self, place: Place) -> None:
        complaint = self._ready().place(place)
        if complaint:
            self._tell(complaint)

    def _think(self, search: _Search) -> None:
        line: tuple[str, ...] = ()
        try:
            thinker = self._ready()
            with self._lock:
                time_left = None if search.asked.ponder else thinker.pace(search.asked)
            if time_left is not None:
                waited = time.monotonic() - search.began
                time_left = Pace(*(max(0.0, seconds - waited) for seconds in time_left))
            line = thinker.think(search.asked, time_left, search.halt, self._report)
            search.released.wait()
        finally:
            with self._lock:
                self._searches.remove(search)
                if search.clock is not None:
                    search.clock.cancel()
            ponder = f" ponder {line[1]}" if len(line) > 1 else ""
            self._say(f"bestmove {line[0] if line else '(none)'}{ponder}")

    def _limit(self, search: _Search) -> None:
        """Let the clock of a search run that had none while it pondered."""
        allowed = None if self._thinker is None else self._thinker.pace(search.asked)
        if allowed is not None:
            # it has thought already
            search.clock = threading.Timer(min(allowed), search.halt.set)
            search.clock.daemon = True
            search.clock.start()

    def _end(self) -> None:
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            thinker.end()

    # ---------------------------------------------------------------- output

    def _report(self, report: InfoLine) -> None:
        words = []
        if report.depth is not None:
            words.append(f"depth {report.depth}")
        if report.rank is not None:
            words.append(f"multipv {report.rank}")
        if report.mate is not None:
            words.append(f"score mate {report.mate}")
        elif report.centipawns is not None:
            words.append(f"score cp {report.centipawns}")
        if report.nodes is not None:
            words.append(f"nodes {report.nodes}")
        if report.seconds is not None:
            if report.nodes is not None:
                words.append(f"nps {round(report.nodes / max(report.seconds, 1e-4))}")
            words.append(f"time {round(1000 * report.seconds)}")
        if report.full is not None:
            words.append(f"hashfull {round(1000 * report.full)}")
        if report.line:
            words.append(f"pv {' '.join(report.line)}")
        self._say(f"info {' '.join(words)}")

    def _tell(self, text: str) -> None:
        self._say(f"info string {text}")

    def _say(self, line: str) -> None:
        with self._writing:
            self._write(line)
