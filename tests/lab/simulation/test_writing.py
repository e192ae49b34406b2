# SPDX-License-Identifier: GPL-3.0-or-later
"""Group commit of the model: each command is committed once and in order, in groups that grow with the load."""

from functools import partial
from itertools import pairwise

import pytest
import simpy

from lab.simulation.processors import Process, Processors, later
from lab.simulation.writing import GATHERING, GROUP, Disk, Writer
from tests.lab.simulation.made_up import COSTS


class Written:
    """A writer, and the groups that it committed, with the times."""

    def __init__(self, *, flush: float = 0.0) -> None:
        self.environment = simpy.Environment()
        self.groups: list[tuple[float, list[int]]] = []
        node, backend = (Process(Processors(self.environment, 1)) for _ in range(2))
        self.disk = Disk(self.environment, flush)
        self.writer = Writer(self.environment, COSTS, node, backend, self.disk, 0.0, self._committed)

    def _committed(self, group: list[int]) -> None:
        self.groups.append((self.environment.now, group))

    def submit(self, interval: float, count: int) -> None:
        for number in range(count):
            later(self.environment, number * interval, partial(self.writer.submit, number))
        self.environment.run()


def test_a_single_command_does_not_wait_for_others() -> None:
    written = Written()
    written.submit(1.0, 5)
    costs = COSTS.node.group + COSTS.database.group + COSTS.database.move
    assert [group for _, group in written.groups] == [[number] for number in range(5)]
    assert [at for at, _ in written.groups] == pytest.approx([number + costs for number in range(5)])


def test_a_commit_comes_no_sooner_than_the_gathering_after_the_last_one() -> None:
    written = Written()
    written.submit(0.0001, 20_000)
    times = [at for at, _ in written.groups]
    assert min(later - before for before, later in pairwise(times)) >= GATHERING
    assert [number for _, group in written.groups for number in group] == list(range(20_000))
    assert max(len(group) for _, group in written.groups) > 50


def test_a_group_has_a_limit() -> None:
    written = Written()
    written.submit(0.0, 2 * GROUP + 7)
    assert [len(group) for _, group in written.groups][-1] == 7
    assert max(len(group) for _, group in written.groups) == GROUP


def test_transactions_that_wait_for_the_disk_share_a_flush() -> None:
    environment = simpy.Environment()
    disk = Disk(environment, 1.0)
    done: list[float] = []
    for at in (0.0, 0.2, 0.4, 0.6):
        later(environment, at, lambda: disk.flush(lambda: done.append(environment.now)))
    environment.run()
    # the first flush began before the other three were written
    assert done == [1.0, 2.0, 2.0, 2.0]
    assert disk.flushes == 2
