# SPDX-License-Identifier: GPL-3.0-or-later
"""GTP engines as bots, against engines made to misbehave: what becomes of the match, and of the engine's processes."""

import asyncio
import re
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.bot import Bot, Turn
from bots.bridges import process
from bots.bridges.gtp.player import GtpBot, GtpMaker
from bots.bridges.process import EngineFailed
from bots.bridges.spec import parse
from bots.local import Entrant, play
from bots.testing import Positions, Recorded, check_bot
from engine.games import find
from engine.match.ending import Ending, Termination
from engine.match.machine import Match
from engine.time_control import TimeControl
from tests.arena.peers import until
from tests.bots.bridges.test_player import Lines, alive

GO = find("go/9x9")
OTHELLO = find("othello")
FAKE = Path(__file__).with_name("fake_gtp.py")


def fake(behaviour: str, log: Path | None = None, more: str = "") -> GtpMaker:
    """Make bots of the engine that misbehaves."""
    command = [sys.executable, "-I", "-S", str(FAKE), behaviour, *([str(log)] if log else [])]
    return GtpMaker(parse(f"gtp:{shlex.join(command)} name=fake {more}"))


def against(maker: Callable[[], Bot], *moves: str, seat: int = 0, game: str = "go/9x9", **options: object) -> Match:
    """Play the engine's bot against a list of moves."""
    entrants = [Entrant("engine", maker), Entrant("lines", lambda: Lines(*moves))]
    first, second = entrants[::-1] if seat else entrants
    return asyncio.run(play(find(game), (first, second), **options))  # type: ignore[arg-type]  # options of several types


def told(log: Path) -> list[str]:
    """Return what the engine was sent in the last match of a log."""
    lines = log.read_text("utf-8").splitlines()
    last = max(number for number, line in enumerate(lines) if line == "clear_board")
    return [line for line in lines[last + 1 :] if line != "quit"]


def test_the_engine_gets_the_komi_and_all_moves_and_its_own_come_through(tmp_path: Path) -> None:
    log = tmp_path / "log"
    match = against(fake("play", log), "D4", "pass", opening=["A1", "B1"])
    assert [moved.move for moved in match.moves] == ["E5", "D4", "C3", "pass", "G7"]
    assert match.ending == Ending("1-0", Termination.ILLEGAL_MOVE, "'done' is not a legal move here")
    assert told(log) == [
        "komi 7",
        "play black A1",
        "play white B1",
        *("genmove black", "play white D4", "genmove black", "play white pass", "genmove black"),
    ]


@pytest.mark.parametrize("behaviour", ["terse", "windows", "prelude", "older", "untimed"])
def test_dialects_are_understood(behaviour: str) -> None:
    match = against(fake(behaviour), "D4", seat=1, time_control=TimeControl(600_000))
    assert [moved.move for moved in match.moves] == ["D4", "E5"]


def test_two_passes_end_the_game_and_resigning_does(tmp_path: Path) -> None:
    ending = against(fake("play"), "C4", "A1", "B1", "pass").ending
    assert ending is not None
    assert ending.termination is Termination.DECIDED
    assert against(fake("resign"), seat=1).ending is not None
    assert against(fake("resign")).ending == Ending("0-1", Termination.RESIGNATION)


@pytest.mark.parametrize(
    ("time_control", "lines"),
    [
        ("600+5", ["time_settings 600 0 0", r"time_left black 5\d\d 0"]),
        ("40/3600", ["time_settings 0 3600 40", r"time_left black 3[45]\d\d 40"]),
        ("600/move", ["time_settings 0 600 1", r"time_left black 5\d\d 1"]),
        ("0+600", ["time_settings 600 0 0", r"time_left black 5\d\d 0"]),
        (None, []),
    ],
)
def test_the_engine_gets_the_clock_in_whole_seconds(tmp_path: Path, time_control: str | None, lines: list[str]) -> None:
    log = tmp_path / "log"
    against(fake("play", log), time_control=time_control and TimeControl.parse(time_control))
    found = [line for line in told(log) if line.startswith("time")]
    assert len(found) == len(lines)
    for line, pattern in zip(found, lines, strict=True):
        assert re.fullmatch(pattern, line)


def test_a_limit_of_seconds_applies_where_no_clock_runs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    against(fake("play", log, "limit.seconds=2"))
    assert "time_settings 0 2 1" in told(log)


@pytest.mark.parametrize(
    ("position", "seat"),
    [
        ("9/9/2o6/9/4x4/9/9/9/9 w", 1),
        ("9/9/2o6/9/4x4/9/9/9/9 b pass", 0),
        # a chain that is almost surrounded: its stone beside the liberty has to come first
        ("9/9/9/9/9/9/ooo6/xxo6/1xo6 b", 0),
        ("9/9/9/3xo4/2x1xo3/3xo4/9/9/9 w ko D5", 1),
    ],
)
def test_positions_are_set_up_by_moves(tmp_path: Path, position: str, seat: int) -> None:
    log = tmp_path / "log"
    match = against(fake("play", log), seat=seat, start=position)
    lines = [line.split() for line in told(log) if line.startswith("play")]
    state = GO.parse_position("9/9/9/9/9/9/9/9/9 b")
    played = GO.look(state)
    for _, colour, point in lines:
        if "bw"[played.to_move] != colour[0]:
            played = GO.look(GO.parse_position(GO.format_position(played.state).split()[0] + f" {colour[0]}"))
        played = GO.play(played, GO.parse_move(played, point))
    # genmove names the side to move
    named = position if "ko" in position or "pass" in position else position[:-1] + "bw"[played.to_move]
    assert GO.format_position(played.state) == named
    assert match.start == position


def test_othello_programs_tell_their_games_and_pass_by_themselves(tmp_path: Path) -> None:
    log = tmp_path / "log"
    maker = fake("othello", log)
    asyncio.run(maker.try_out())
    assert maker.games == ("go/9x9", "othello")
    position = "-XXXXXXX" + "O" * 7 + "X" + "X" * 48 + " X"
    match = against(maker, game="othello", seat=1, opening=["f5"])
    assert match.moves == []
    assert "set_game Othello" in log.read_text("utf-8")
    ending = against(maker, game="othello", start=OTHELLO.format_position(OTHELLO.parse_position(position))).ending
    why = "EngineFailed: fake: it plays from the usual start only; GTP sets up no position of Othello"
    assert ending == Ending("0-1", Termination.CRASH, why)
    eight = fake("eight")
    asyncio.run(eight.try_out())
    assert eight.games == ("othello",)


def test_games_may_be_named() -> None:
    maker = fake("play", more="game=othello/6x6,othello")
    assert maker.games == ("othello/6x6", "othello")
    with pytest.raises(ValueError, match=r"GTP programs play go/19x19.* not 'chess'"):
        fake("play", more="game=chess")


@pytest.fixture
def ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the end of an engine however long it takes: its exit code is in the message."""
    monkeypatch.setattr("bots.bridges.gtp.process.QUIT_WITHIN", 600.0)


@pytest.mark.usefixtures("ends_by_itself")
@pytest.mark.parametrize(
    ("behaviour", "termination", "detail"),
    [
        ("die", Termination.CRASH, "EngineFailed: fake: its process ended unexpectedly (exit code: 3)"),
        ("refuse", Termination.CRASH, "EngineFailed: fake: it refuses to move: unknown command"),
        ("illegal", Termination.ILLEGAL_MOVE, "'K9' is not a legal move here"),
        ("nonsense", Termination.ILLEGAL_MOVE, "'<my move>' is not a legal move here"),
        ("none", Termination.ILLEGAL_MOVE, "'(none)' is not a legal move here"),
        ("endless", Termination.CRASH, "EngineFailed: fake: it wrote too long a line"),
        ("chatter", Termination.CRASH, "EngineFailed: fake: it answered with more than 1,048,576 bytes"),
        ("long", Termination.CRASH, "EngineFailed: fake: it answered with more than 1,048,576 bytes"),
    ],
)
def test_an_engine_that_fails_forfeits_the_match(behaviour: str, termination: Termination, detail: str) -> None:
    match = against(fake(behaviour), time_control=TimeControl(600_000))
    assert match.ending == Ending("0-1", termination, detail)


def test_an_engine_that_rejects_a_move_forfeits() -> None:
    why = "EngineFailed: fake: it rejects the move D4: 'play black D4': unknown command"
    assert against(fake("complain"), "D4", seat=1).ending == Ending("1-0", Termination.CRASH, why)


def test_a_board_that_the_engine_has_not_is_a_crash() -> None:
    ending = against(fake("play", more="game=go/13x13"), game="go/13x13").ending
    why = "EngineFailed: fake: it has no such board: 'boardsize 13': unknown command"
    assert ending == Ending("0-1", Termination.CRASH, why)


@pytest.mark.parametrize("behaviour", ["hang", "family"])
def test_one_that_hangs_loses_on_time_and_is_ended_with_its_children(behaviour: str) -> None:
    before = alive("98766")
    match = against(fake(behaviour), time_control=TimeControl(500))
    assert match.ending == Ending("0-1", Termination.TIME)
    assert alive(str(FAKE), behaviour) == []
    while set(alive("98766")) - set(before):  # a child was killed with it; nobody waits for its end
        time.sleep(0.01)


def test_one_that_hangs_where_no_clock_runs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.bridges.gtp.player.LONGEST", 0.2)
    why = "EngineFailed: fake: it did not answer genmove within 0.2 s"
    assert against(fake("hang")).ending == Ending("0-1", Termination.CRASH, why)


def test_one_that_does_not_quit_is_ended() -> None:
    assert against(fake("stubborn")).moves
    assert alive(str(FAKE), "stubborn") == []


@pytest.mark.usefixtures("ends_by_itself")
@pytest.mark.parametrize(
    ("maker", "why"),
    [
        (lambda: fake("mute"), "fake: it did not answer protocol_version within 0.4 s, so it may not speak GTP"),
        (lambda: fake("unready"), "fake: it did not answer boardsize within 5 s"),
        (lambda: fake("newer"), "fake: the engine speaks version '3' of GTP; supported versions are 1 and 2"),
        (lambda: fake("tiny"), r"fake: it has no board of a size that is played here \(19, 13, 9, 8, 6\)"),
        (lambda: GtpMaker(parse("gtp:echo hello")), "echo: its process ended unexpectedly"),
    ],
)
def test_a_command_that_is_no_engine_is_refused_with_the_reason(
    maker: Callable[[], GtpMaker], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "START_WITHIN", 0.4 if "protocol_version" in why else 600.0)
    monkeypatch.setattr(process, "READY_WITHIN", 5.0 if "boardsize" in why else 600.0)
    with pytest.raises(EngineFailed, match=why):
        asyncio.run(maker().try_out())
    assert alive(str(FAKE)) == []


def test_its_version_is_its_name_and_its_arguments() -> None:
    maker = fake("play")
    asyncio.run(maker.try_out())
    bot = maker()
    assert isinstance(bot, GtpBot)
    assert bot.name == "fake"
    assert bot.version.startswith("Fake Go 1.0 -I -S ")
    assert len(bot.version) <= 64
    other = fake("untimed")
    asyncio.run(other.try_out())
    assert other.version != bot.version


async def test_a_stop_from_outside_ends_the_thinking() -> None:
    bot = fake("hang")()
    match = Match(GO, time_control=TimeControl(600_000))
    turn = Turn(
        match=1,
        game="go/9x9",
        ply=0,
        position=GO.format_position(match.position.state),
        seat=0,
        legal_moves=match.legal,
        clocks=match.clocks,
    )
    thinking = asyncio.create_task(bot.move(turn))
    await until(lambda: bot._search.running)
    await asyncio.sleep(0.3)
    bot.stop(1)
    with pytest.raises(EngineFailed, match="was stopped"):
        await asyncio.wait_for(thinking, 600)
    assert alive(str(FAKE), "hang") == []


def test_it_has_a_bots_manners() -> None:
    start = GO.look(GO.start())
    recorded = Recorded(GO.format_position(start.state), list(GO.move_texts(start)), 0)
    check_bot(fake("play"), Positions("go/9x9", [recorded]), seconds=600)
    assert alive(str(FAKE), "play") == []


@pytest.mark.usefixtures("ends_by_itself")
def test_the_error_output_is_shown_to_the_owner_at_the_first_start_alone() -> None:
    command = [sys.executable, "-I", "-S", "-c", "raise SystemExit('no such level')"]
    maker = GtpMaker(parse(f"gtp:{shlex.join(command)} name=fake"))
    with pytest.raises(EngineFailed, match=r"its process ended unexpectedly \(exit code: 1\): no such level"):
        asyncio.run(maker.try_out())
    maker.version = "tried"
    ending = against(maker).ending
    why = "EngineFailed: fake: its process ended unexpectedly (exit code: 1)"
    assert ending == Ending("0-1", Termination.CRASH, why)
