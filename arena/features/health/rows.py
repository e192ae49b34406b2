# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the records of quarantines, and the errors of these records."""

from dataclasses import dataclass

from arena.store.errors import StoreRejected


@dataclass(frozen=True, slots=True)
class QuarantineRow:
    """A quarantine of a bot."""

    id: int
    bot_id: int
    bot: str
    """The bot's name."""
    account_id: int | None
    """The account that owns the bot; None: no account owns it."""
    owner: str
    version: str
    reason: str
    matches: tuple[int, ...]
    """The matches in which the version failed, oldest first."""
    began: float
    lifted: float | None
    how: str
    """How the quarantine ended, for people; empty while it lasts."""


class NotQuarantined(StoreRejected):
    """The bot is not in quarantine."""


class NeedsValidation(StoreRejected):
    """The bot is hosted, so a validation or a new version ends its quarantine."""
