# SPDX-License-Identifier: MIT
"""Players, and whatever makes players."""

from bots.bot import Answer, Bot, Reply, Resign
from bots.client import run
from bots.thinking import think

__all__ = ["Answer", "Bot", "Reply", "Resign", "run", "think"]
