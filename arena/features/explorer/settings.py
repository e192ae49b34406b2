# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of the search explorer, and of analysis on demand."""

from dataclasses import dataclass

from arena.settings import check_values, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorerSettings:
    """The limits of searches that visitors request. Durations are in seconds."""

    explorer_nodes: int = setting(
        3000,
        "Maximum number of visits in an explained search tree. A larger tree is cut off there.",
        least=1,
        most=20_000,
    )
    explorer_count: int = setting(
        1_000_000,
        "Maximum number of positions that a search visits when the explorer compares algorithms, or analyses a "
        "position.",
        least=1,
    )
    explorer_time: float = setting(5.0, "Maximum duration of the analysis of a position.", above=0)
    explorer_queue: int = setting(
        16, "Maximum number of requested searches that wait at once. Beyond it the server refuses requests.", least=1
    )
    explorer_queue_each: int = setting(
        2, "Maximum number of requested searches of one client address that run or wait at once.", least=1
    )

    def __post_init__(self) -> None:
        check_values(self)
