# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of people, their ratings, and the matches that changed these."""

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Integer, Text
from sqlmodel import Field

from arena.store.tables import Base, plain, reference

_KEY = BigInteger().with_variant(Integer(), "sqlite")


class Person(Base, table=True):
    """A person who plays, with the row among the bots that matches refer to.

    ``account_id``: the account; None for the seat of a guest, which many guests use one after the other.
    ``secret_hash``: the hash of the secret in the cookie of the guest who has the seat now. ``seen``: when the person
    last started, resumed or finished a match.
    """

    bot_id: int = Field(sa_column=reference("bot.id", primary_key=True))
    account_id: int | None = Field(
        default=None, sa_column=Column(_KEY, ForeignKey("account.id"), unique=True, nullable=True)
    )
    secret_hash: str | None = Field(default=None, sa_type=Text, unique=True)
    seen: float = Field(sa_type=Double)


class PersonRating(Base, table=True):
    """The rating of a person with an account, in a game and a time class."""

    __tablename__ = "person_rating"

    bot_id: int = Field(sa_column=reference("bot.id", primary_key=True))
    game: str = Field(sa_type=Text, primary_key=True)
    time_class: str = Field(sa_type=Text, primary_key=True)
    rating: float = Field(sa_type=Double)
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last_played: float = Field(sa_type=Double)


class PersonResult(Base, table=True):
    """A match that counts for the rating of a person, with the rating before and after it."""

    __tablename__ = "person_result"

    match_id: int = Field(sa_column=reference("match.id", primary_key=True))
    bot_id: int = Field(sa_column=reference("bot.id", index=True))
    before: float = Field(sa_type=Double)
    after: float = Field(sa_type=Double)


class PersonConsent(Base, table=True):
    """A person who allows bots to learn opponent models from the person's games; ``since``: when it was allowed."""

    __tablename__ = "person_consent"

    bot_id: int = Field(sa_column=reference("bot.id", primary_key=True))
    since: float = Field(sa_type=Double)


people = plain(Person)
ratings = plain(PersonRating)
results = plain(PersonResult)
consents = plain(PersonConsent)

TABLES = (people, ratings, results, consents)
