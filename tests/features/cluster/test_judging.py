# SPDX-License-Identifier: GPL-3.0-or-later
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from arena.features.cluster.membership.judging import GAP, PATIENCE, Judge


def dead_at(reads: Iterable[tuple[float, float, int]]) -> list[float]:
    """Return when a node counts as dead, by reads: when asked, when answered, its counter."""
    judge = Judge()
    return [answered for asked, answered, counter in reads if judge.dead({1: counter}, asked, answered)]


def test_a_counter_that_stands_still_for_five_seconds_is_dead() -> None:
    reads = [(time / 2, time / 2 + 0.01, min(time, 4)) for time in range(30)]
    assert dead_at(reads)[0] == 7.51  # the counter stood at 4 since 2.01


def test_a_counter_that_moves_is_alive() -> None:
    assert dead_at((time / 2, time / 2 + 0.01, time // 9) for time in range(200)) == []


def test_the_five_seconds_begin_again_after_a_gap() -> None:
    """While nothing was read, the node may not have been able to renew its lease either."""
    before = [(time / 2, time / 2 + 0.01, 3) for time in range(10)]
    after = [(8 + time / 2, 8 + time / 2 + 0.01, 3) for time in range(20)]
    assert dead_at(before + after)[0] == 13.51


def test_a_read_that_is_answered_late_is_a_gap() -> None:
    reads = [(0.0, 0.01, 3), (0.5, 6.0, 3), (6.5, 6.51, 3), (7.0, 7.01, 3)]
    assert dead_at(reads) == []


def test_a_new_node_of_a_known_counter_is_watched_anew() -> None:
    judge = Judge()
    for time in range(20):
        found = judge.dead({time // 4: 0}, time / 2, time / 2)
        assert found == []


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2), st.booleans()), max_size=60))
def test_no_lease_is_taken_that_was_seen_to_change_within_five_seconds_of_reading(
    steps: list[tuple[float, float, bool]],
) -> None:
    """The oracle: look back over the reads until the counter differs, or there is a gap."""
    judge, now, counter = Judge(), 0.0, 0
    reads: list[tuple[float, float, int]] = []
    for wait, delay, renewed in steps:
        asked, now = now + wait, now + wait + delay
        counter += renewed
        reads.append((asked, now, counter))
        since = now
        for (_, answered, seen), (_, next_answered, _) in zip(reads[-2::-1], reads[:0:-1], strict=True):
            if seen != counter or next_answered - answered > GAP:
                break
            since = answered
        assert judge.dead({1: counter}, asked, now) == ([1] if asked - since >= PATIENCE else [])
