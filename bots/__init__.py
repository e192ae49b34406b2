# SPDX-License-Identifier: MIT
"""Players: built-in bots, the SDK, bridges, hosted bots, evolution, opponent models and sandboxes."""

from bots.bot import Answer, Bot, Reply, Resign
from bots.client import run
from bots.thinking import think

__all__ = ["Answer", "Bot", "Reply", "Resign", "run", "think"]
