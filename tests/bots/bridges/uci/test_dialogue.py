# SPDX-License-Identifier: GPL-3.0-or-later
"""The dialogue with a chess program, line by line, with a player that does what the test says."""

import queue
import threading
import time
from collections.abc import Iterator

import pytest

from bots.bridges.uci.commands import Go, Place
from bots.bridges.uci.dialogue import Dialogue
from bots.bridges.uci.thinkers import Halt, InfoLine, Tell
from bots.built_in.course import Pace

PATIENCE = 300.0
"""Seconds until a test gives up, on a machine that is busy with other things."""


class Player:
    """Thinks until it is stopped when asked for depth 99, else not at all; notes each command."""

    def __init__(self) -> None:
        self.loaded = threading.Event()
        self.told: list[object] = []
        self.thinks = threading.Event()
        self.shown = 0

    def prepare(self) -> None:
        assert self.loaded.wait(PATIENCE)

    def new_game(self) -> None:
        self.told.append("new game")

    def show(self, lines: int) -> None:
        self.shown = lines

    def resize(self, megabytes: int) -> None:
        self.told.append(megabytes)

    def place(self, place: Place) -> str | None:
        self.told.append(place)
        return "no such position" if place.start else None

    def pace(self, go: Go) -> Pace | None:
        clock = go.clock(0)
        return None if clock is None else Pace(clock[0] / 1000, clock[0] / 1000)

    def think(self, go: Go, time_left: Pace | None, halt: Halt, tell: Tell) -> tuple[str, ...]:
        self.told.append(go)
        stopped = threading.Event()
        halt.calls(stopped.set)
        self.thinks.set()
        if go.nodes:
            raise RuntimeError("no idea\nat all")
        if go.depth == 99 or go.ponder or time_left is not None:
            stopped.wait(None if time_left is None else time_left.hard)
        tell(InfoLine(depth=3, centipawns=-12, nodes=500, seconds=0.25, full=0.5, line=("e2e4", "e7e5")))
        tell(InfoLine(mate=-2))
        return () if go.mate else ("e2e4", "e7e5")

    def end(self) -> None:
        self.told.append("end")


class Program:
    """The other side: says lines and hears answers."""

    def __init__(self, loaded: bool = True) -> None:
        self.player = Player()
        self.heard: queue.Queue[str] = queue.Queue()
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.made: list[str] = []
        if loaded:
            self.player.loaded.set()
        dialogue = Dialogue(["weak", "strong"], "strong", self._make, self.heard.put)
        self.ended: list[bool] = []
        self._thread = threading.Thread(target=lambda: self.ended.append(dialogue.run(self._spoken())), daemon=True)
        self._thread.start()

    def _make(self, name: str) -> Player:
        self.made.append(name)
        return self.player

    def _spoken(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            yield line

    def say(self, *lines: str) -> None:
        for line in lines:
            self._lines.put(line)

    def hear(self, start: str, *, within: float = PATIENCE) -> str:
        """Return the next line, which must begin so."""
        line = self.heard.get(timeout=within)
        assert line.startswith(start), line
        return line

    def until(self, line: str) -> list[str]:
        heard: list[str] = []
        while not heard or heard[-1] != line:
            heard.append(self.heard.get(timeout=PATIENCE))
        return heard

    def silence(self, seconds: float = 0.1) -> None:
        with pytest.raises(queue.Empty):
            self.heard.get(timeout=seconds)

    def end(self) -> None:
        self._lines.put(None)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a player end slowly."""
    monkeypatch.setattr("bots.bridges.uci.dialogue._LAST_MOMENT", PATIENCE)


@pytest.fixture
def program() -> Iterator[Program]:
    program = Program()
    yield program
    program.end()


def test_it_introduces_itself_before_it_is_loaded_and_is_ready_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.bridges.uci.dialogue._SILENCE", 0.1)
    program = Program(loaded=False)
    program.hear("info string compiling")
    program.say("uci", "isready")
    told = program.until("uciok")
    assert told[0] == "id name Bot Arena strong"
    assert "option name Hash type spin default 64 min 1 max 4096" in told
    assert "option name Bot type combo default strong var weak var strong" in told
    program.silence()
    program.player.loaded.set()
    program.hear("readyok")
    program.end()
    assert program.ended == [True]


def test_a_search_is_reported_and_answered(program: Program) -> None:
    program.say("ucinewgame", "position startpos moves e2e4", "go depth 4")
    assert program.hear("info") == "info depth 3 score cp -12 nodes 500 nps 2000 time 250 hashfull 500 pv e2e4 e7e5"
    assert program.hear("info") == "info score mate -2"
    assert program.hear("bestmove") == "bestmove e2e4 ponder e7e5"
    assert program.player.told == [64, "new game", Place(None, ("e2e4",)), Go(depth=4)]
    program.say("go mate 1")
    program.hear("info")
    program.hear("info")
    assert program.hear("bestmove") == "bestmove (none)"


def test_stop_is_answered_while_it_searches(program: Program) -> None:
    for _ in range(9):
        program.player.thinks.clear()
        program.say("go depth 99")
        assert program.player.thinks.wait(PATIENCE)
        program.say("isready")
        program.hear("readyok")
        program.say("stop")
        program.until("bestmove e2e4 ponder e7e5")


def test_an_infinite_search_that_is_through_waits_for_stop(program: Program) -> None:
    program.say("go infinite")
    program.hear("info depth 3")
    program.hear("info score")
    program.silence()
    program.say("stop", "stop")
    program.hear("bestmove e2e4")
    program.silence()


def test_pondering_ends_by_the_clock_after_the_hit_and_by_stop_before(program: Program) -> None:
    program.say("go ponder wtime 200 btime 200")
    assert program.player.thinks.wait(PATIENCE)
    program.silence(0.4)
    began = time.monotonic()
    program.say("ponderhit")
    program.until("bestmove e2e4 ponder e7e5")
    assert time.monotonic() - began > 0.15
    program.say("go ponder wtime 200000 btime 200000")
    program.silence()
    program.say("stop")
    program.until("bestmove e2e4 ponder e7e5")
    program.say("ponderhit", "stop")
    program.silence()


def test_searches_one_after_the_other(program: Program) -> None:
    program.say("go depth 1", "position startpos moves d2d4", "go wtime 50 btime 50")
    for _ in range(2):
        program.until("bestmove e2e4 ponder e7e5")
    assert program.player.told[1:] == [Go(depth=1), Place(None, ("d2d4",)), Go(50, 50)]


def test_options_are_set(program: Program) -> None:
    program.say(
        "setoption name Hash value 128",
        "setoption name Clear Hash",
        "setoption name Ponder value true",
        "setoption name Threads value 1",
        "setoption name Bot value weak",
        "uci",
        "isready",
    )
    program.until("readyok")
    assert program.player.told == [64, 128, "new game", "end", 128]
    assert program.made == ["strong", "weak"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("castle", "unknown command 'castle'"),
        ("\x00\ufffd\ud800", "unknown command"),
        ("setoption name Hash value 0", "Hash cannot be '0'"),
        ("setoption name Hash value ²", "Hash cannot be '²'"),
        (f"setoption name Hash value {'9' * 5000}", "Hash cannot be '999"),
        ("setoption name Bot value nobody", "Bot cannot be 'nobody'"),
        ("setoption name Style value wild", "there is no option 'Style'"),
        ("setoption Hash", "an option is set by"),
        ("position somewhere", "a position is startpos, or fen"),
        ("position fen x", "no such position"),
    ],
)
def test_invalid_input_is_reported_and_ignored(program: Program, line: str, why: str) -> None:
    program.say(line)
    assert why in program.hear("info string")
    program.say("debug on", "register later", "", "go depth 1")
    program.until("bestmove e2e4 ponder e7e5")


def test_complaints_about_go_come_with_its_move(program: Program) -> None:
    program.say("go depth x searchmoves e2e4")
    program.hear("info string depth needs a number")
    program.until("bestmove e2e4 ponder e7e5")


def test_a_player_that_fails_says_so_and_makes_no_move(program: Program) -> None:
    program.say("go nodes 7")
    assert program.hear("bestmove") == "bestmove (none)"
    assert program.hear("info string") == "info string RuntimeError: no idea"
    program.say("go depth 1")
    program.until("bestmove e2e4 ponder e7e5")


def test_the_end_of_input_stops_the_search() -> None:
    program = Program()
    program.say("go infinite")
    assert program.player.thinks.wait(PATIENCE)
    program.end()
    assert program.ended == [True]
    assert program.until("bestmove e2e4 ponder e7e5")
    assert program.player.told[-1] == "end"


def test_quit_does_not_wait_for_the_compiler() -> None:
    program = Program(loaded=False)
    program.say("quit")
    program._thread.join(PATIENCE)
    assert program.ended == [False]
    program.player.loaded.set()
