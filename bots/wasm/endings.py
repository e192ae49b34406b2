# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit statuses of the runner of WebAssembly bots. Imported without wasmtime."""

from collections.abc import Mapping

BAD_FILE, INSTRUCTIONS_USED_UP, TRAPPED, UNUSABLE = 2, 3, 4, 5

ENDINGS: Mapping[int, str] = {
    BAD_FILE: "its file cannot be read",
    INSTRUCTIONS_USED_UP: "it used up its instructions",
    TRAPPED: "it trapped",
    UNUSABLE: "its module cannot be used",
}
"""Exit status → what happened, for people; the error output says more to the bot's owner."""
