# SPDX-License-Identifier: MIT
import random

from bots import Bot, run


class Mine(Bot):
    name = "my-bot"
    games = ["checkers"]

    def move(self, turn):
        return random.choice(turn.legal_moves)


run(Mine(), url="ws://127.0.0.1:8080/api/v1/play", token="…")
