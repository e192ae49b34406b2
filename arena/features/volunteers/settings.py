# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of islands on volunteers' machines."""

from dataclasses import dataclass

from arena.settings import check_values, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class VolunteerSettings:
    """The settings for volunteers. Durations are in seconds."""

    volunteers: str = setting(
        "chess,checkers",
        "Games for which volunteers may run islands (populations that evolve on their machines), if the arena offers "
        "the games.",
    )
    volunteer_nodes: int = setting(
        1000, "Average number of nodes per move that members of islands may search.", least=1
    )
    volunteer_interval: float = setting(1.0, "Minimum time between two reports of an island.")
    volunteer_silence: float = setting(60.0, "Time without a report after which an island is shown as offline.")
    volunteer_mating: float = setting(30.0, "Minimum time between two genomes that the arena gives to an island.")

    volunteer_verification: bool = setting(
        True,
        "Run the verifier, a process that tests the claims of islands. Without it islands get no genomes "
        "of other islands.",
    )

    def __post_init__(self) -> None:
        check_values(self)
