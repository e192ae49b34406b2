# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords: hashed by Argon2id with its recommended parameters, and estimated, in threads, two at a time.

One hash takes 64 MiB and some tens of milliseconds of several cores.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from argon2 import PasswordHasher

T = TypeVar("T")

Strength = Literal["weak", "fair", "good", "strong"]
"""Weak passwords are refused."""

SHORTEST, LONGEST = 12, 200
"""Characters of a password."""

FEWEST_GUESSES = 1e6
"""A password is refused where an attacker finds it in fewer guesses, by the estimate of the library zxcvbn. It knows
the 30,000 most common passwords, names and words, dates, rows of a keyboard, and changes such as ``0`` for ``o``.
"""
GOOD, STRONG = 1e8, 1e10
"""Guesses from which on a password counts as good, and as strong."""
ESTIMATED = 16
"""Characters at the beginning and at the end of a password that are estimated: the time grows with the length."""

AT_ONCE = 2
"""Passwords that are hashed or estimated at a time."""

WAITING = 20
"""Passwords that may wait for their turn."""


class BadPassword(Exception):
    """The text may not be a password; the message gives the reason."""


class Busy(Exception):
    """Too many passwords wait to be checked."""


def _check_signs(password: str, name: str) -> None:
    if len(password) < SHORTEST:
        raise BadPassword(f"a password has {SHORTEST} characters or more (got {len(password)})")
    if len(password) > LONGEST:
        raise BadPassword(f"a password has at most {LONGEST} characters (got {len(password)})")
    if name.lower() in (password.lower(), password.lower()[::-1]) or len(set(password)) < 3:
        raise BadPassword(
            "this password is too easy to guess; it must not be the account name, and needs three different characters"
        )
    try:
        password.encode()
    except UnicodeEncodeError:
        raise BadPassword("this password has characters that cannot be encoded") from None


class Passwords:
    """Computes and checks hashes."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._turn = asyncio.Semaphore(at_once)
        self._waiting = 0
        self._most = waiting

    async def check(self, password: str, name: str) -> float:
        """Return how many guesses an attacker needs; raise BadPassword if a text may not be the password of an account.
        Raises Busy.
        """
        _check_signs(password, name)
        needed = await self._run(lambda: guesses(password))
        if needed < FEWEST_GUESSES:
            raise BadPassword(
                "this password is too easy to guess: it is common, or made of common words and sequences of characters"
            )
        return needed

    async def hash(self, password: str) -> str:
        """Return the hash of a password. Raises Busy."""
        return await self._run(lambda: hasher().hash(password))

    async def matches(self, stored: str | None, password: str) -> bool:
        """Tell whether a password is the one of a stored hash; it takes the same time without a hash. Raises Busy."""
        return await self._run(lambda: _matches(stored, password))

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._most:
            raise Busy
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1


def strength_of(needed: float) -> Strength:
    """Return the strength of a password in a word, by the guesses that an attacker needs."""
    if needed < FEWEST_GUESSES:
        return "weak"
    return "fair" if needed < GOOD else "good" if needed < STRONG else "strong"


def guesses(password: str) -> float:
    """Estimate how many guesses an attacker needs; the library is loaded at the first use."""
    from zxcvbn import zxcvbn
    from zxcvbn.matching import RANKED_DICTIONARIES

    if rank := RANKED_DICTIONARIES["passwords"].get(password.lower()):
        return float(rank)
    parts = {password[:ESTIMATED], password[-ESTIMATED:]}
    return max(float(zxcvbn(part)["guesses"]) for part in parts)


@cache
def hasher() -> "PasswordHasher":
    """Return the hasher; the library is loaded at the first use."""
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobody() -> str:
    """Return the hash that stands for a missing one."""
    return hasher().hash("the password of nobody")


def _matches(stored: str | None, password: str) -> bool:
    from argon2.exceptions import Argon2Error

    known = stored is not None
    try:
        hasher().verify(stored or _nobody(), password)
    except (Argon2Error, UnicodeEncodeError, ValueError):
        return False
    return known
