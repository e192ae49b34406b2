# SPDX-License-Identifier: MIT
from bots import Bot, Reply

LINES = ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 b2 c3", "a3 b2 c1"]
SQUARES = [column + row for row in "321" for column in "abc"]


class Careful(Bot):
    """Completes a line at tic-tac-toe if it can, blocks the opponent's line if it must, and prints results."""

    name = "careful"
    version = "2"  # it used to overlook the diagonals; ratings are kept apart
    games = ["tictactoe"]
    capacity = 4

    def __init__(self):
        self.opponent = None

    def match_started(self, match):
        self.opponent = match.players[1 - match.seat].name

    def move(self, turn):
        board = dict(zip(SQUARES, turn.position.replace("/", ""), strict=True))
        mine, theirs = "xo"[turn.seat], "ox"[turn.seat]
        for mark, score in (mine, 1000.0), (theirs, 0.0):
            for line in LINES:
                marks = [board[square] for square in line.split()]
                if marks.count(mark) == 2 and "." in marks:
                    return Reply(line.split()[marks.index(".")], score=score, depth=1, nodes=len(LINES))
        return "b2" if board["b2"] == "." else turn.legal_moves[0]

    def draw_offered(self, match):
        return True

    def challenged(self, challenge):
        return not challenge.rated or challenge.opponent.name != "careful's rival"

    def match_over(self, over):
        print(f"match {over.match} against {self.opponent}: {over.result} ({over.termination})")
