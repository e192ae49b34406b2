# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of sign-ups and of wrong passwords and codes, by address and by account."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.connections.limits import RateLimits
from arena.features.accounts.passwords import BadPassword

RETURN = 60.0
"""Seconds after which another wrong password is allowed."""

HOUR = 3600.0


class Limited(Exception):
    """A limit is reached; ``retry_after`` in seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Guesses:
    """Wrong passwords and codes. An attempt counts before it is checked, so that many at once count too."""

    def __init__(self, attempts: int, clock: Callable[[], float]) -> None:
        """``attempts``: wrong ones at once, for each address and for each account."""
        self.limits: RateLimits[str] = RateLimits(1 / RETURN, attempts)
        self._clock = clock

    @contextmanager
    def attempt(self, address: str, name: str = "") -> Iterator[None]:
        """Count an attempt from an address at the password of an account; "" for a code.

        An attempt that raises nothing is not counted in the end. Raises Limited.
        """
        now = self._clock()
        keys = [f"address {address}", *([f"account {name.lower()}"] if name else [])]
        if wait := max(self.limits.wait(key, now) for key in keys):
            raise Limited("too many wrong attempts; try again later", wait)
        for key in keys:
            self.limits.take(key, now)
        yield
        for key in keys:
            self.limits.give_back(key)


MAILS, MAIL_RETURN = 3, 600.0
"""Mails at once for each address and for each account, and seconds until another is allowed."""


class Mails:
    """Mails that people ask for: they could fill somebody's mailbox."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.limits: RateLimits[str] = RateLimits(1 / MAIL_RETURN, MAILS)
        self._clock = clock

    def take(self, address: str, name: str) -> None:
        """Count a mail to the owner of an account, whether there is such an account or not. Raises Limited."""
        now = self._clock()
        keys = [f"address {address}", f"account {name.lower()}"]
        if wait := max(self.limits.wait(key, now) for key in keys):
            raise Limited("too many mails; try again later", wait)
        for key in keys:
            self.limits.take(key, now)


ESTIMATES, ESTIMATES_A_SECOND = 20, 2.0
"""Passwords at once whose strength an address may ask for, and further ones a second."""


class Estimates:
    """Estimates of the strength of passwords: each takes some milliseconds of a processor."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._limits: RateLimits[str] = RateLimits(ESTIMATES_A_SECOND, ESTIMATES)
        self._clock = clock

    def take(self, address: str) -> None:
        """Count an estimate for an address. Raises Limited."""
        now = self._clock()
        if not self._limits.take(address, now):
            raise Limited("too many passwords; try again later", self._limits.wait(address, now))


class SignUps:
    """New accounts by address."""

    def __init__(self, hourly: int, clock: Callable[[], float]) -> None:
        self.limits: RateLimits[str] = RateLimits(hourly / HOUR, hourly)
        self._clock = clock

    @contextmanager
    def take(self, address: str) -> Iterator[None]:
        """Count a new account, unless the work raises BadPassword. Raises Limited."""
        now = self._clock()
        if not self.limits.take(address, now):
            raise Limited("too many new accounts from this address; try again later", self.limits.wait(address, now))
        try:
            yield
        except BadPassword:
            self.limits.give_back(address)
            raise
