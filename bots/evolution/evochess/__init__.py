# SPDX-License-Identifier: GPL-3.0-or-later
"""EvoChess for any game: depth programs, search parameters and evaluations evolve by games against frozen rivals.

After R. Gross, K. Albrecht, W. Kantschik and W. Banzhaf, "Evolving chess playing programs", GECCO 2002.
"""

CHAMPION = "evochess"
"""The bot that plays the shipped champions."""
ABOUT = "A search with a depth program, which is hand-made but for one branch; its parameters are tuned by games."
"""Its description."""
