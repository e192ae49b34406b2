# SPDX-License-Identifier: MIT
"""The exceptions of the SDK."""


class ArenaError(Exception):
    """The arena or the connection failed the request."""


class Rejected(ArenaError):
    """The arena does not want this bot, and trying again would not help: an unknown token, the same bot logged in
    elsewhere, a protocol too old, ...
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        """The WebSocket close code, if one came."""


class RequestRefused(ArenaError):
    """The arena refused a request to its REST API (the message is the arena's), or its answer is not an arena's."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status; below 400: the answer is not an arena's."""
        self.code = code
        """The code of the error, for programs; "" if the answer had none."""


class NotReady(ArenaError):
    """The bot's ``prepare`` failed; the cause is its exception."""


class Unreachable(ArenaError):
    """No arena answered within the client's patience."""


class ChallengeRefused(ArenaError):
    """A challenge did not lead to a match."""

    def __init__(self, outcome: str) -> None:
        super().__init__(f"the challenge was not accepted: {outcome}")
        self.outcome = outcome
        """"declined", "expired", ... as the arena says it, or its message when it refused at once."""
