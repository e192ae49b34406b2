# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of people at the board."""

from dataclasses import dataclass

from arena.settings import check_values, setting
from engine.time_control import TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSettings:
    """The clocks of matches with people, and the limits of guests."""

    people_clocks: str = setting(
        "60+1,180+2,300+3,600+5,900+10",
        "Time controls that people can choose for a match, separated by commas, in seconds: base+increment.",
    )
    people_move_time: float = setting(
        1800.0,
        "In a match without a clock, the longest time that a person may take for one move. Then the person loses on "
        "time.",
        least=1,
        most=9_999_999,
    )
    people_bot_time: float = setting(
        2.0, "In a match without a clock, the time of the bot for each move.", least=0.1, most=3600
    )
    guest_seats: int = setting(
        16,
        "Maximum number of guests who play at once, or played a short time ago. A guest is a person without an "
        "account. 0: guests cannot play.",
        most=1000,
    )
    guest_idle: float = setting(
        600.0, "Time after which the seat of a guest without a running match is free for another guest."
    )
    people_matches_per_hour: int = setting(
        60, "Maximum number of matches that people start within an hour from one address.", least=1
    )

    def __post_init__(self) -> None:
        check_values(self)
        for text in self.clocks():
            try:
                control = TimeControl.parse(text)
            except ValueError as error:
                raise ValueError(f"people_clocks: {error}") from None
            if not control.timed or control.per_move or control.odds is not None:
                raise ValueError(f"people_clocks: {text} must give both sides the same clock for the whole match")

    def clocks(self) -> list[str]:
        """Return the time controls, in the order of the setting."""
        return [text.strip() for text in self.people_clocks.split(",") if text.strip()]
