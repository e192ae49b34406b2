# SPDX-License-Identifier: GPL-3.0-or-later
"""EvoChess for any game: depth programs, search parameters and evaluations evolve by games against frozen rivals.

After R. Gross, K. Albrecht, W. Kantschik and W. Banzhaf, "Evolving chess playing programs", GECCO 2002.
"""

CHAMPION = "evochess"
BRED = "evochess-bred"
CHAMPIONS = {
    BRED: "A search whose depth program and parameters evolved from random programs and neutral parameters.",
    CHAMPION: "A search with a depth program that was written by hand, except for one evolved branch; "
    "its parameters are tuned by games.",
}
"""The bots that play the shipped champions, with their descriptions, the weakest first."""
