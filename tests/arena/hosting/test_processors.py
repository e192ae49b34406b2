# SPDX-License-Identifier: GPL-3.0-or-later
"""How many processors are free follows from what the system tells."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.hosting import processors as processors_module
from arena.hosting.processors import FreeProcessors, allowed

OURS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


class Machine:
    """What ``/proc/stat`` says of a machine."""

    def __init__(self, file: Path, processors: Iterable[int] = OURS) -> None:
        self._file = file
        self._processors = list(processors)
        self._user = self._nice = self._idle = 0
        self.runs(0.0)

    def runs(self, busy: float, polite: float = 0.0) -> None:
        """Let a second pass in which a share of each processor is busy, and another share with polite work."""
        ticks = 1000
        self._user += round(busy * ticks)
        self._nice += round(polite * ticks)
        self._idle += round((1.0 - busy - polite) * ticks)
        lines = [f"cpu{number} {self._user} {self._nice} 0 {self._idle} 0 0 0 0 0 0" for number in self._processors]
        self._file.write_text("\n".join(["cpu  1 2 3 4", *lines, "intr 12345", "ctxt 6"]))


@pytest.mark.parametrize(("busy", "free"), [(0.0, 4), (0.1, 4), (0.25, 3), (0.5, 2), (1.0, 2)])
def test_busy_processors_are_not_free_but_half_of_them_always_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: float, free: int
) -> None:
    monkeypatch.setattr(processors_module, "_ours", lambda: {0, 1, 2, 3})
    machine = Machine(tmp_path / "stat", range(4))
    processors = FreeProcessors(4, tmp_path / "stat")
    assert processors.free == 4
    for _ in range(30):
        processors.look()
        machine.runs(busy)
    assert processors.free == free


def test_work_at_a_low_priority_gives_way(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "stat")
    processors = FreeProcessors(2, tmp_path / "stat")
    for _ in range(30):
        processors.look()
        machine.runs(0.0, polite=1.0)
    assert processors.free == 2


def test_one_processor_is_always_free(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "stat")
    processors = FreeProcessors(1, tmp_path / "stat")
    for _ in range(30):
        processors.look()
        machine.runs(1.0)
    assert processors.free == 1


@pytest.mark.parametrize("text", ["", "cpu\n", "cpu0 x\n", "cpu0 1 2\n"])
def test_a_system_that_tells_nothing_has_no_load(tmp_path: Path, text: str) -> None:
    (tmp_path / "stat").write_text(text)
    processors = FreeProcessors(3, tmp_path / "stat")
    for _ in range(3):
        processors.look()
    assert processors.free == 3
    assert FreeProcessors(3, tmp_path / "missing").free == 3


@pytest.mark.parametrize(
    ("group", "files", "most"),
    [
        ("0::/a/b\n", {"a/cpu.max": "150000 100000", "a/b/cpu.max": "max 100000"}, 1),
        ("0::/\n", {"cpu.max": "max 100000"}, len(OURS)),
        ("4:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "50000", "cpu/a/cpu.cfs_period_us": "100000"}, 1),
        ("4:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000"}, len(OURS)),
        ("4:memory:/a\n", {}, len(OURS)),
        ("nonsense", {}, len(OURS)),
    ],
)
def test_control_groups_limit_what_is_allowed(tmp_path: Path, group: str, files: dict[str, str], most: int) -> None:
    (tmp_path / "group").write_text(group)
    for name, text in files.items():
        (tmp_path / "fs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fs" / name).write_text(text)
    assert allowed(tmp_path / "fs", tmp_path / "group") == most
