# SPDX-License-Identifier: GPL-3.0-or-later
"""People at the board: seats, matches, ratings and the page on which they play."""
