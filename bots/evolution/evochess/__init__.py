# SPDX-License-Identifier: GPL-3.0-or-later
"""EvoChess for any game: depth programs, search parameters and evaluations evolve by games against frozen rivals.

After R. Gross, K. Albrecht, W. Kantschik and W. Banzhaf, "Evolving chess playing programs", GECCO 2002.
"""

CHAMPION = "evochess"
"""The bot that plays the shipped champions."""
ABOUT = "Bred from gibberish and a guest made by hand, refined by games: habits and a program decide how deep it looks."
"""Its description."""
