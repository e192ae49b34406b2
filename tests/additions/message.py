# SPDX-License-Identifier: GPL-3.0-or-later
"""The edits of product files that add a message with its answer: three files, and no other one."""

Edit = tuple[str, str]
"""A text of a file, and the text to insert before it."""

EDITS: dict[str, tuple[Edit, ...]] = {
    "arena/protocol/messages.py": (
        (
            "class WithdrawChallenge(FromBot",
            'class Ping(FromBot, frozen=True):\n    """Ask for ``pong``."""\n\n    number: int\n\n\n',
        ),
        (
            "class Goodbye(FromArena",
            'class Pong(FromArena, frozen=True):\n    """The answer to ``ping``."""\n\n    number: int\n\n\n',
        ),
        ("    | WithdrawChallenge\n", "    | Ping\n"),
        ("    | Goodbye\n", "    | Pong\n"),
    ),
    "arena/connections/gateway.py": (
        (
            "            case m.WithdrawChallenge():",
            "            case m.Ping():\n                entrant.send(m.Pong(message.number))\n",
        ),
    ),
    "bots/client/client.py": (
        (
            "    async def resign(self, match: int)",
            "    async def ping(self, number: int) -> None:\n        await self._link.send(wire.Ping(number))\n\n",
        ),
    ),
}


def insert(text: str, edits: tuple[Edit, ...]) -> str:
    """Return a file's text with the edits; each place must be there exactly once."""
    for place, inserted in edits:
        assert text.count(place) == 1, place
        text = text.replace(place, inserted + place)
    return text
