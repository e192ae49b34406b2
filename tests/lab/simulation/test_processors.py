# SPDX-License-Identifier: GPL-3.0-or-later
"""Queues of the model wait as long as queueing theory says."""

from collections.abc import Callable, Generator
from functools import partial
from random import Random

import pytest
import simpy
from hypothesis import given
from hypothesis import strategies as st

from lab.simulation.processors import SLICE, Process, Processors

JOBS = 60_000


def mean_wait(cores: int, rate: float, length: Callable[[Random], float], seed: int = 1) -> float:
    """The mean time in the system beyond a job's own length, with arrivals at random."""
    environment, random = simpy.Environment(), Random(seed)
    process = Process(Processors(environment, cores), width=cores)
    waits: list[float] = []

    def leave(soonest: float) -> None:
        waits.append(environment.now - soonest)

    def arrive() -> Generator[simpy.Event, None, None]:
        for _ in range(JOBS):
            yield environment.timeout(random.expovariate(rate))
            seconds, came = length(random), environment.now
            process.do(seconds, partial(leave, came + seconds))

    environment.process(arrive())
    environment.run()
    assert len(waits) == JOBS
    return sum(waits) / JOBS


@pytest.mark.parametrize("rate", [0.3, 0.6, 0.8])
def test_jobs_of_one_length_wait_by_pollaczek_and_khinchine(rate: float) -> None:
    # M/D/1 with jobs of 1 s: ρ / (2 (1 - ρ))
    assert mean_wait(1, rate, lambda random: 1.0) == pytest.approx(rate / (2 * (1 - rate)), rel=0.06)


@pytest.mark.parametrize("rate", [0.3, 0.6])
def test_jobs_of_exponential_length_wait_as_in_a_queue_of_one_server(rate: float) -> None:
    # M/M/1 with a mean of 1 s: ρ / (1 - ρ)
    assert mean_wait(1, rate, lambda random: random.expovariate(1)) == pytest.approx(rate / (1 - rate), rel=0.06)


def test_two_processors_have_the_wait_of_erlang() -> None:
    # M/M/2 with a mean of 1 s and a rate of 1.4: Erlang's C / (2 - 1.4)
    rate = 1.4
    waiting = rate**2 / 2 / (1 - rate / 2)
    erlang = waiting / (1 + rate + waiting)
    found = mean_wait(2, rate, lambda random: random.expovariate(1))
    assert found == pytest.approx(erlang / (2 - rate), rel=0.06)


def test_a_job_of_another_thread_comes_after_the_running_one() -> None:
    environment = simpy.Environment()
    process = Process(Processors(environment, 1))
    done: list[tuple[str, float]] = []

    def note(name: str) -> Callable[[], None]:
        return lambda: done.append((name, environment.now))

    process.do(3.0, note("running"))
    process.do(2.0, note("waiting"))
    process.do_first(1.0, note("first"))
    environment.run()
    process.do_first(1.0, note("alone"))
    environment.run()
    assert done == [("running", 3.0), ("first", 4.0), ("waiting", 6.0), ("alone", 7.0)]


@given(
    lengths=st.lists(st.tuples(st.integers(0, 3), st.floats(0.001, 1)), min_size=1, max_size=60),
    cores=st.integers(1, 5),
    width=st.integers(1, 3),
)
def test_no_processor_rests_while_a_process_could_use_it(
    lengths: list[tuple[int, float]], cores: int, width: int
) -> None:
    environment = simpy.Environment()
    processors = Processors(environment, cores)
    processes = [Process(processors, width) for _ in range(4)]
    done: list[list[int]] = [[] for _ in processes]
    for number, (owner, seconds) in enumerate(lengths):
        processes[owner].do(seconds, partial(done[owner].append, number))
    environment.run()
    for owner, process in enumerate(processes):
        own = [(number, seconds) for number, (of, seconds) in enumerate(lengths) if of == owner]
        assert process.busy == pytest.approx(sum(seconds for _, seconds in own))
        assert sorted(done[owner]) == [number for number, _ in own]
        if width == 1:
            assert done[owner] == [number for number, _ in own]
    whole, longest = sum(process.busy for process in processes), max(seconds for _, seconds in lengths)
    assert environment.now >= whole / cores - 1e-9
    assert environment.now >= longest - 1e-9
    if cores >= 4 * width and width == 1:
        assert environment.now == pytest.approx(max(process.busy for process in processes))
    if cores == 1:
        assert environment.now == pytest.approx(whole)


def test_a_long_job_lets_others_go_on() -> None:
    environment = simpy.Environment()
    process = Process(Processors(environment, 1))
    ended: dict[str, float] = {}
    process.do_in_slices(10 * SLICE, lambda: ended.update(long=environment.now))
    process.do(SLICE, lambda: ended.update(short=environment.now))
    environment.run()
    assert ended == {"short": pytest.approx(2 * SLICE), "long": pytest.approx(11 * SLICE)}


def test_a_killed_process_does_nothing_more() -> None:
    environment = simpy.Environment()
    processors = Processors(environment, 1)
    dying, other = Process(processors), Process(processors)
    done: list[str] = []
    dying.do(1.0, lambda: done.append("running"))
    dying.do(1.0, lambda: done.append("waiting"))
    other.do(1.0, lambda: done.append("other"))
    environment.run(until=0.5)
    dying.kill()
    dying.do(1.0, lambda: done.append("late"))
    environment.run()
    assert done == ["other"]
    assert dying.busy == 0
