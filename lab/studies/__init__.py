# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies of opponent models: prediction on later games, search depth, and the value of knowing the opponent."""
