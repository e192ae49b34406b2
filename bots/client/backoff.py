# SPDX-License-Identifier: MIT
"""How long to wait before connecting again."""

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Backoff:
    """Delays in seconds that double from ``first`` to ``longest``, each with jitter, so that many bots do not come back
    at the same moment.
    """

    first: float = 0.2
    longest: float = 30.0
    _tries: int = field(default=0, init=False)
    _random: random.Random = field(default_factory=random.Random, init=False, repr=False)

    def reset(self) -> None:
        """Reset the delay, because a connection was made."""
        self._tries = 0

    def next(self, at_least: float = 0.0) -> float:
        """Return the next delay: half of it fixed, half of it random, and no shorter than ``at_least``."""
        delay = min(self.first * 2.0 ** min(self._tries, 30), self.longest)
        self._tries += 1
        return at_least + delay * self._random.uniform(0.5, 1.0)
