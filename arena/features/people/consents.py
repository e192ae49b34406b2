# SPDX-License-Identifier: GPL-3.0-or-later
"""Permissions of people to learn from their games, and the deletion of opponent models."""

from arena.application import Arena
from arena.features.opponent_models.records import OpponentModelRecords
from arena.features.people.records import Consents
from arena.store.rows import BotRow


class Learning:
    """Permissions of people, and the opponent models of people."""

    def __init__(self, arena: Arena) -> None:
        self.consents = arena.store.records(Consents)
        self._models = arena.store.records(OpponentModelRecords)
        arena.refuses_models.append(self._refuses)

    async def _refuses(self, bot: BotRow) -> bool:
        """Return whether a player is a person who does not allow models."""
        return bot.kind == "person" and not await self.consents.given(bot.id)

    async def forget(self, bot_id: int) -> None:
        """Withdraw the permission of a person, and delete all opponent models of the person."""
        await self.consents.withdraw(bot_id)
        await self._models.forget(bot_id)

    async def forget_removed(self) -> None:
        """Forget the people whose accounts are deleted."""
        for bot_id in await self.consents.of_removed():
            await self.forget(bot_id)
