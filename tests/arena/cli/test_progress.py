# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress lines of long work without a terminal."""

import pytest

from arena.cli.support import output
from arena.cli.support.output import Bars


class Clock:
    """A clock that is set."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(output, "time", clock)
    return clock


@pytest.mark.parametrize("quiet", [False, True])
def test_a_line_a_minute_has_the_progress_and_the_time_left(
    clock: Clock, capsys: pytest.CaptureFixture[str], quiet: bool
) -> None:
    with Bars(quiet=quiet) as bars:
        bar = bars.add_task("breeding", total=5_000, completed=1_000)
        for done in range(400):
            clock.now = float(done + 1)
            bars.advance(bar, 2)
        bars.update(bar, completed=5_000, description="breeding \\[two]")
        clock.now = 4_000.0
        bars.update(bar, completed=5_000)
    out, lines = capsys.readouterr()
    assert out == ""
    assert lines.splitlines() == [
        "breeding: 1,120 of 5,000, 60 s so far, about 32 min to go",
        "breeding: 1,240 of 5,000, 2 min so far, about 31 min to go",
        "breeding: 1,360 of 5,000, 3 min so far, about 30 min to go",
        "breeding: 1,480 of 5,000, 4 min so far, about 29 min to go",
        "breeding: 1,600 of 5,000, 5 min so far, about 28 min to go",
        "breeding: 1,720 of 5,000, 6 min so far, about 27 min to go",
        "breeding [two]: 5,000 of 5,000, 67 min so far, about 0 s to go",
    ]


def test_work_of_unknown_length_has_a_count(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bars(quiet=True) as bars:
        bar = bars.add_task("searching", total=None)
        clock.now = 2 * 3600.0
        bars.advance(bar)
    assert capsys.readouterr().err == "searching: 1, 2.0 h so far\n"


def test_short_work_prints_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bars(quiet=False) as bars:
        bar = bars.add_task("drawing", total=10)
        for _ in range(10):
            clock.now += 5
            bars.advance(bar)
    assert capsys.readouterr() == ("", "")
