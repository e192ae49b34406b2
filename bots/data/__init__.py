# SPDX-License-Identifier: GPL-3.0-or-later
"""Data bots: a file of JSON that configures one of our own searches, or a genome of ``arena evolve``, as a bot.

``bots.data.format`` reads and writes configurations, ``bots.data.player`` makes the players of files, and
``bots.data.runner`` is the program that plays as a file says.
"""
