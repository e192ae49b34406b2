# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in play: referee, seats, clocks, ledger, replay after a restart, and the conductor that owns them."""
