# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectators: live views of matches, diagrams, withheld information, and the broadcast."""
