# SPDX-License-Identifier: GPL-3.0-or-later
"""Features: how they enter the arena, and the tests of each in a folder of its own."""
