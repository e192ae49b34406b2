# SPDX-License-Identifier: GPL-3.0-or-later
"""Alarms ring once, in order, and never after they were cancelled."""

import threading

from engine.search.alarms import Alarms

PATIENCE = 300.0


def test_it_rings_what_is_due_and_nothing_that_was_cancelled() -> None:
    alarms = Alarms()
    rung: list[str] = []
    last = threading.Event()
    with alarms.after(3600.0, lambda: rung.append("late")):
        with alarms.after(0.0, lambda: rung.append("at once")), alarms.after(0.05, last.set):
            assert last.wait(PATIENCE)
        with alarms.after(3600.0, lambda: rung.append("cancelled")):
            pass
    assert rung == ["at once"]


def test_an_earlier_alarm_does_not_wait_for_a_later_one() -> None:
    alarms = Alarms()
    rung = [threading.Event() for _ in range(20)]
    with alarms.after(3600.0, lambda: None):
        for event in rung:
            with alarms.after(0.001, event.set):
                assert event.wait(PATIENCE)


def test_many_threads_share_one() -> None:
    alarms = Alarms()
    rung: list[bool] = []

    def work() -> None:
        for _ in range(50):
            event = threading.Event()
            with alarms.after(0.001, event.set):
                rung.append(event.wait(PATIENCE))

    before = threading.active_count()
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rung == [True] * 400
    assert threading.active_count() == before + 1
