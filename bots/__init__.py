# SPDX-License-Identifier: MIT
"""Players, and whatever makes players."""

from bots.bot import Answer, Bot, Reply, Resign
from bots.client import run

__all__ = ["Answer", "Bot", "Reply", "Resign", "run"]
