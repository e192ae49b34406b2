# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits by address and account over all nodes. The leader counts; the others learn it, and may lead next."""

import time
from collections.abc import Callable, Mapping

from arena.connections.limits import RateLimits
from arena.features.cluster.bus.links import Links
from arena.features.cluster.play.messages import Counted, encode

AT_ONCE = 500
"""Keys in one message."""


class SharedLimits:
    """The limits of an arena, told to the other nodes."""

    def __init__(self, limits: Mapping[str, RateLimits[str]], links: Links) -> None:
        """``limits``: by name; further ones may be added until ``begin``."""
        self._limits = limits
        self._links = links
        self._changed: dict[str, set[str]] = {}

    def begin(self) -> None:
        """Note each count from now on."""
        for name, limits in self._limits.items():
            self._changed[name] = set()
            limits.on_change = self._changed[name].add

    def tell(self) -> None:
        """Tell all nodes the counts that changed here since the last time."""
        for name, changed in self._changed.items():
            keys = list(changed)
            changed.clear()
            self._send(name, keys, self._links.send_all)

    def tell_all(self) -> None:
        """Tell all nodes all counts, as this node leads from now on."""
        for name, limits in self._limits.items():
            self._send(name, list(limits), self._links.send_all)

    def introduce(self, node: int) -> None:
        """Tell a new node all counts, if this node leads."""
        if self._links.leader == self._links.me:
            for name, limits in self._limits.items():
                self._send(name, list(limits), lambda body: self._links.send(node, body))

    def hear(self, node: int, counted: Counted) -> None:
        """Take over what another node counted; one that does not lead may have heard less than this one. A limit that
        this node does not have is left out.
        """
        limits = self._limits.get(counted.limit)
        if limits is not None:
            now = time.monotonic()
            for key, left in counted.left.items():
                least = 0.0 if node == self._links.leader else limits.left(key, now)
                limits.adopt(key, max(left, least), now)

    def _send(self, name: str, keys: list[str], send: Callable[[bytes], None]) -> None:
        now = time.monotonic()
        for start in range(0, len(keys), AT_ONCE):
            left = {key: self._limits[name].left(key, now) for key in keys[start : start + AT_ONCE]}
            send(encode(Counted(name, left)))
