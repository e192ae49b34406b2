# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena evolve`` in a folder, in an arena, and as an island."""
