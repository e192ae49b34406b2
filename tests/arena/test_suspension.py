# SPDX-License-Identifier: GPL-3.0-or-later
"""Only a suspension of the whole process stops the clock of matches."""

import threading

import pytest

from arena import suspension
from arena.suspension import INTERVAL, Reading, System, Watch
from tests.arena.clock import Suspended, standing_clock


class Process:
    """What a system would say of a process."""

    def __init__(self) -> None:
        self.steady = self.busy = self.waited = 100.0
        self.watch = Watch(lambda: Reading(self.steady, self.busy, self.waited), lambda: self.steady)

    def live(self, seconds: float) -> None:
        """Let time pass with marks, a little of it busy."""
        for _ in range(round(seconds / INTERVAL)):
            self.passes(INTERVAL, busy=INTERVAL / 20)
            self.watch.mark()

    def passes(self, seconds: float, *, busy: float = 0.0, waited: float = 0.0) -> None:
        """Let time pass without a mark."""
        self.steady += seconds
        self.busy += busy
        self.waited += waited


@pytest.mark.parametrize("by_thread", [True, False], ids=["the thread finds it", "the loop finds it"])
@pytest.mark.parametrize("seconds", [1.2, 30.0, 86_400.0])
def test_the_first_round_after_a_suspension_finds_it_and_it_counts_once(seconds: float, by_thread: bool) -> None:
    process = Process()
    process.live(3.0)
    process.passes(seconds, busy=0.05, waited=0.05)
    if by_thread:
        process.watch.mark()
    assert process.watch.suspended() == pytest.approx(seconds)
    process.watch.mark()
    process.live(3.0)
    assert process.watch.suspended() == pytest.approx(seconds)
    process.passes(seconds)
    assert process.watch.suspended() == pytest.approx(2 * seconds)


@pytest.mark.parametrize(
    ("seconds", "busy", "waited"),
    [(0.9, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 1.9, 0.0), (60.0, 59.0, 0.0), (2.0, 0.1, 1.8), (60.0, 30.0, 25.0)],
    ids=["short", "just short", "held up", "held up for long", "starved", "held up and starved"],
)
def test_other_delays_are_not_suspensions(seconds: float, busy: float, waited: float) -> None:
    process = Process()
    process.live(1.0)
    process.passes(seconds, busy=busy, waited=waited)
    assert process.watch.suspended() == 0.0
    process.watch.mark()
    assert process.watch.suspended() == 0.0


def test_a_loop_that_is_blocked_while_the_thread_goes_on_is_no_suspension() -> None:
    process = Process()
    assert process.watch.suspended() == 0.0
    process.live(20.0)
    assert process.watch.suspended() == 0.0


def test_a_thread_that_is_starved_while_the_loop_goes_on_is_no_suspension() -> None:
    process = Process()
    for _ in range(40):
        process.passes(0.25)
        assert process.watch.suspended() == 0.0
    process.watch.mark()
    assert process.watch.suspended() == 0.0


async def test_the_clock_of_matches_never_runs_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suspension may be known before the event loop has read its clock anew."""
    monkeypatch.setattr(suspension, "Watch", Suspended)
    with standing_clock() as clock:
        play = suspension.PlayClock()
        play.start()
        began = play.now()
        Suspended.seconds = 30.0
        assert play.now() == began
        clock.now += 30.5
        assert play.now() == pytest.approx(began + 0.5)
        play.stop()


def test_the_system_says_how_busy_the_process_is() -> None:
    system = System((threading.get_native_id(), 0))  # a thread that is not there is no error
    before = system.read()
    while system.read().busy - before.busy < 0.01:
        pass
    after = system.read()
    system.close()
    assert after.steady > before.steady
    assert after.waited >= before.waited
    assert system.read().waited == 0.0, "nobody tells any more"
