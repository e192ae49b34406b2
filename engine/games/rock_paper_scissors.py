# SPDX-License-Identifier: GPL-3.0-or-later
"""Iterated rock-paper-scissors (programming competitions since D. Billings, 1999)."""

from engine.games.matrix.game import repeated_game
from engine.games.matrix.notation import Actions

ROUNDS = 200
"""Usual number of rounds."""

PAYOFFS = tuple(
    tuple(((0.0, 0.0), (-1.0, 1.0), (1.0, -1.0))[(column - row) % 3] for column in range(3)) for row in range(3)
)
"""Each action loses against the next one."""

ACTIONS = Actions(("rock", "paper", "scissors"), "rps", ("stone", "tile", "crossed tile"), ("yellow", "light", "red"))

GAMES = [
    repeated_game(
        "rock-paper-scissors",
        "Rock-paper-scissors",
        ACTIONS,
        PAYOFFS,
        ROUNDS,
        most=1.0,
        zero_sum=True,
        description="Rock beats scissors, scissors beat paper, paper beats rock, 200 times.",
        rules=f"Both players choose in each of {ROUNDS} rounds at the same time: rock, paper or scissors. Rock beats "
        "scissors, scissors beat paper, and paper beats rock. The winner of a round gets one point from the other.\n\n"
        "The points of all rounds add up. The player with more points wins the match.\n\nChoices at random, with equal "
        "probabilities, cannot be exploited and exploit nobody. To win, a player must predict the other.",
        link="https://en.wikipedia.org/wiki/Rock_paper_scissors",
    )
]
