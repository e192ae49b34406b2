# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in play: their states, the referee with its seats, clocks and ledger, replay after a restart, the
records of new matches, and the conductor that starts and resumes them.
"""
