# SPDX-License-Identifier: GPL-3.0-or-later
"""The values that the records of people return."""

from typing import NamedTuple


class PersonRow(NamedTuple):
    """A person who plays."""

    bot_id: int
    """The number among the bots."""
    name: str
    account_id: int | None
    """None for a guest."""
    secret_hash: str | None
    seen: float
    removed: float | None
    """When an operator removed the person; it cannot play then."""

    @property
    def guest(self) -> bool:
        """Whether the person has no account."""
        return self.account_id is None


class PersonRatingRow(NamedTuple):
    """The rating of a person in a game and a time class."""

    bot_id: int
    name: str
    rating: float
    games: int
    wins: int
    draws: int
    losses: int
    last_played: float


class Standing(NamedTuple):
    """What a match does to the rating of a person."""

    before: float
    after: float
