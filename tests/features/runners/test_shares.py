# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares of hosts: by cores, with as few moves as possible."""

from collections import Counter
from math import ceil, floor

from hypothesis import given
from hypothesis import strategies as st

from arena.features.runners.shares import place, quotas

HOSTS = st.dictionaries(st.integers(0, 9), st.integers(1, 64), min_size=1, max_size=6)
BOTS = st.lists(st.sampled_from([f"bot-{number}" for number in range(30)]), unique=True)


@given(HOSTS, st.integers(0, 200))
def test_a_share_is_the_hosts_part_of_all_cores(hosts: dict[int, int], count: int) -> None:
    shares = quotas(hosts, count)
    assert sum(shares.values()) == count
    for host, cores in hosts.items():
        exact = count * cores / sum(hosts.values())
        assert floor(exact + 1e-9) <= shares[host] + 1e-9
        assert shares[host] <= ceil(exact - 1e-9) + 1e-9


@given(HOSTS, BOTS, st.data())
def test_each_bot_has_one_host_and_few_bots_move(hosts: dict[int, int], bots: list[str], data: st.DataObject) -> None:
    known = data.draw(st.dictionaries(st.sampled_from(bots), st.integers(0, 9)) if bots else st.just({}))
    placed = place(hosts, bots, known)
    assert list(placed) == bots
    shares = quotas(hosts, len(bots))
    counts = Counter(placed.values())
    assert all(counts[host] == share for host, share in shares.items())
    before = Counter(known[bot] for bot in bots if bot in known)
    kept = sum(placed[bot] == known.get(bot) for bot in bots)
    assert kept == sum(min(before[host], share) for host, share in shares.items()), "no move is without need"
    assert place(hosts, bots, placed) == placed, "nothing moves twice"
