# SPDX-License-Identifier: GPL-3.0-or-later
"""What the store can refuse, or fail to do."""


class StoreError(Exception):
    """The database could not do it, and nothing of it was written; the message says why, for people."""


class Refused(StoreError):
    """The request does not fit what is stored; the database itself is well."""


class NoArena(Refused):
    """There is no database, or it holds no arena."""


class NameTaken(Refused):
    """A bot of that name, in whatever case, is or was registered."""


class BadName(Refused):
    """The text cannot be a bot's name."""


class UnknownBot(Refused):
    """No bot has that name, or it was removed."""


class TooManyVersions(Refused):
    """The bot has as many new versions as it may have in a day; ``retry_after`` tells in how many seconds it may have
    another.
    """

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class UnknownMatch(Refused):
    """No match has that number."""


class Unknown(Refused):
    """Nothing of a kind has that number or name; requests about it are answered with 404."""


class UnknownTournament(Unknown):
    """No tournament has that number."""


class UnknownPopulation(Unknown):
    """No population has that number."""


class UnknownOperator(Refused):
    """No operator is called that."""


class BadStatus(Refused):
    """A tournament that stands like that cannot become what was asked for."""


class MatchFinished(Refused):
    """The match is over and takes no more events."""


class BadMatch(Refused):
    """A match cannot be played like that: a rated one needs two bots, and both versions must exist."""


class Conflict(Refused):
    """Another event is already stored under that number."""


class Claimed(Refused):
    """Another server runs on this database."""


class Superseded(Refused):
    """Another server owns the database now; this one may write no more."""


class Busy(StoreError):
    """Too much is waiting to be written."""


class BadValue(Refused):
    """A number too large or a text that no database can hold, so nothing has it."""


class BadCursor(Refused):
    """The cursor is none that this list gave."""
