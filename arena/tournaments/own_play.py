# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of bots against themselves: which new tournaments have them.

The two instances of a built-in bot are separate: each match, and each seat of a match of a bot against itself, has an
instance of its own, which hears of its seat alone. A bot that connects from outside would get the turns of both seats
on one connection, and could agree with itself on what no opponent agrees on; an uploaded bot has room for one process.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from arena.store.rows import BotRow
from arena.tournaments.machine.config import Config
from arena.tournaments.machine.invalid import InvalidSetting
from engine.games import has_secrets, needs_own_play


def settled(config: Config, bots: Sequence[BotRow]) -> Config:
    """Return the description of a new tournament of these bots, which says whether they play against themselves.
    Raises InvalidSetting if they are to, but cannot.
    """
    others = [bot.name for bot in bots if bot.kind != "built-in"]
    if others and config.mirrored_dice and has_secrets(config.game):
        why = "another bot could remember the cards of the first game of a pair, and know what the second one hides"
        field = "mirrored_dice"
        raise InvalidSetting(field, f"mirrored dice of {config.game} are for built-in bots, not for {others[0]}: {why}")
    form = config.format.settled(needs_own_play(config.game) and not others)
    if form.meets_itself and others:
        why = "only built-in bots play against themselves, because any other bot would get the messages of both seats"
        raise InvalidSetting("format.own_play", f"{others[0]} cannot play against itself: {why}")
    return config if form == config.format else replace(config, format=form)
