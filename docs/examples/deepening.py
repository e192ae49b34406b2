# SPDX-License-Identifier: MIT
from bots import Bot, Reply
from engine.games import find
from engine.search import Limits, Searcher, Stop


class Deepening(Bot):
    """Searches with the arena's own engine, for a fifth of a second or less when the clock is short."""

    name = "deepening"
    games = ["checkers", "nim", "tictactoe"]
    capacity = 4

    def __init__(self):
        self.halt = Stop()

    def prepare(self, games):
        for name in games:
            Searcher(find(name), "advanced").warm_up()

    def match_started(self, match):
        self.game = find(match.game)
        self.searcher = Searcher(self.game, "advanced")

    def move(self, turn):
        seconds = min(0.2, turn.clocks[turn.seat] / 1000 / 30) if turn.clocks else 0.2
        position = self.game.look(self.game.parse_position(turn.position))
        found = self.searcher.search(position.state, Limits(seconds=seconds), seed=turn.ply, stop=self.halt)
        move = self.game.format_move(position.state, found.move)
        return Reply(move, depth=found.depth, nodes=found.nodes)

    def stop(self, match):
        self.halt.set()
