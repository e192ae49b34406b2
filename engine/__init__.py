# SPDX-License-Identifier: GPL-3.0-or-later
"""What a game is and how it is searched."""

from engine import runtime

runtime.use_cache()
