# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of runners."""

from dataclasses import dataclass

from arena.settings import check_values, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerSettings:
    """The settings of runners. Durations are in seconds."""

    host_beside_runners: bool = setting(
        False,
        "Whether the server itself hosts bots, too, while runners are connected. If not, the server hosts bots only "
        "while no runner is connected.",
    )
    runner_silence: float = setting(
        5.0, "Time without a message after which a runner is lost: its bots are hosted elsewhere.", least=2
    )
    runner_cores: int = setting(
        64, "Maximum number of cores of one runner that the arena uses, even if the runner offers more.", least=1
    )
    runners_connected: int = setting(100, "Maximum number of runners that are connected at once.", least=1)

    def __post_init__(self) -> None:
        check_values(self)
