# SPDX-License-Identifier: GPL-3.0-or-later
"""Games, rules, search, the match state machine and file formats."""

from engine import runtime

runtime.use_cache()
