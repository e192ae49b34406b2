# SPDX-License-Identifier: MIT
"""The reason of a bot's failure, as records and the arena's pages show it."""


class PlainFailure(Exception):
    """A failure whose message is for people as it stands: the name of its class would only hide it."""


def reason_of(error: BaseException) -> str:
    """Return why a bot failed: the message of a ``PlainFailure``, otherwise the class of the error and its message."""
    return str(error) if isinstance(error, PlainFailure) else f"{type(error).__name__}: {error}"
