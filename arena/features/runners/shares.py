# SPDX-License-Identifier: GPL-3.0-or-later
"""The share of each host in the bots: by its cores, with as few moves as possible. Pure."""

from collections.abc import Collection, Mapping


def quotas(hosts: Mapping[int, int], count: int) -> dict[int, int]:
    """Return how many of ``count`` bots each host gets, by its number of cores (largest remainders)."""
    cores = sum(hosts.values())
    exact = {host: count * own / cores for host, own in hosts.items()}
    shares = {host: int(share) for host, share in exact.items()}
    rest = count - sum(shares.values())
    for host in sorted(hosts, key=lambda each: (shares[each] - exact[each], each))[:rest]:
        shares[host] += 1
    return shares


def place(hosts: Mapping[int, int], bots: Collection[str], now: Mapping[str, int]) -> dict[str, int]:
    """Return the host of each bot. Each host gets its share, and a bot moves only if its host is gone, or has more than
    its share.

    ``hosts``: number of cores of each host, at least one of them; ``now``: the hosts of bots so far.
    """
    left = quotas(hosts, len(bots))
    placed: dict[str, int] = {}
    waiting = []
    for bot in bots:
        host = now.get(bot)
        if host is not None and left.get(host, 0) > 0:
            placed[bot] = host
            left[host] -= 1
        else:
            waiting.append(bot)
    for bot in waiting:
        host = max(left, key=lambda each: (left[each], -each))
        placed[bot] = host
        left[host] -= 1
    return {bot: placed[bot] for bot in bots}
