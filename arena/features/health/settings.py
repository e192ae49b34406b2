# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of quarantine."""

from dataclasses import dataclass

from arena.settings import check_values, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthSettings:
    """The limits on failures of a bot, which take it off the ladder."""

    quarantine_matches: int = setting(
        20,
        "Number of newest rated matches of a bot's version in which its failures are counted. Too many failures take "
        "the bot off the ladder: it is quarantined.",
        least=1,
    )
    quarantine_crashes: int = setting(
        5,
        "Number of crashes and disconnections in the matches of `quarantine_matches` that quarantines the bot. "
        "Matches that one disconnection ends count once. 0: no limit.",
    )
    quarantine_illegal_moves: int = setting(
        5,
        "Number of illegal moves and invalid messages in the matches of `quarantine_matches` that quarantines the bot. "
        "Several matches that invalid messages on one connection ended count once. 0: no limit.",
    )
    quarantine_time_losses: int = setting(
        10, "Number of losses on time in the matches of `quarantine_matches` that quarantines the bot. 0: no limit."
    )

    def __post_init__(self) -> None:
        check_values(self)
