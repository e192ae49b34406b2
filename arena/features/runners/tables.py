# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of runners, and of the times at which each hosted a bot."""

from sqlalchemy import BigInteger, Double, Index, Text
from sqlmodel import Field

from arena.store.tables import Base, key, plain, reference


class Runner(Base, table=True):
    """A runner that operators registered; ``token_hash`` is null once it was removed."""

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text)
    token_hash: str | None = Field(default=None, sa_type=Text, unique=True)
    created: float = Field(sa_type=Double)
    seen: float | None = Field(default=None, sa_type=Double)


class HostedTime(Base, table=True):
    """A time during which a runner hosted a bot: in matches that overlap with it, the bot computed there.

    ``version`` and ``platform`` are those of the runner, ``speed`` is in nodes per second; ``ended`` is null while it
    goes on.
    """

    __tablename__ = "hosted_time"
    __table_args__ = (Index("ix_hosted_time_bot_id_began", "bot_id", "began"),)

    id: int | None = Field(default=None, sa_column=key())
    runner_id: int = Field(sa_column=reference("runner.id", index=True))
    bot_id: int = Field(sa_column=reference("bot.id"))
    version: str = Field(sa_type=Text)
    platform: str = Field(sa_type=Text)
    speed: float = Field(sa_type=Double)
    cores: int = Field(sa_type=BigInteger)
    began: float = Field(sa_type=Double)
    ended: float | None = Field(default=None, sa_type=Double, index=True)


runners = plain(Runner)
hosted_times = plain(HostedTime)

TABLES = (runners, hosted_times)
