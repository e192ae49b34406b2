# SPDX-License-Identifier: GPL-3.0-or-later
"""The message about the first administrator's code, printed while an arena has no administrator."""

import sys

from arena.application import Arena
from arena.features.accounts.part import AccountsPart


async def tell_first_code(arena: Arena, url: str) -> None:
    """Print the code to standard error once, not to the log, which is kept."""
    part = arena.part(AccountsPart)
    await part.looked.wait()
    if part.first_code:
        text = (
            f"No account administers this arena. To make one, sign up at {url}/sign-up with the code {part.first_code}"
        )
        print(text, file=sys.stderr, flush=True)
