# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot without a search of ours as a UCI engine."""

import pytest

from bots.bot import DECIDED, Bot, Reply, Turn
from bots.bridges.uci.commands import Go, Place
from bots.bridges.uci.thinkers import AskThinker, Halt, InfoLine

MATES = "6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1"
MATED = "7k/R7/8/8/8/8/8/1R2K3 b - - 0 1"


class Sure(Bot):
    """Returns a given reply."""

    def __init__(self, score: float, *pv: str) -> None:
        self.score = score
        self.pv = pv
        self.asked: list[Turn] = []

    def move(self, turn: Turn) -> Reply:
        self.asked.append(turn)
        return Reply(self.pv[0], score=self.score, pv=self.pv)


def told(bot: Bot, place: str, go: Go | None = None) -> InfoLine:
    """Ask the bot for a move in a position; return its info line."""
    thinker, reports = AskThinker(lambda: bot), list[InfoLine]()
    assert thinker.place(Place(place)) is None
    thinker.think(go or Go(), None, Halt(), reports.append)
    thinker.end()
    return reports[0]


@pytest.mark.parametrize(
    ("place", "score", "pv", "mate"),
    [
        (MATES, DECIDED, ("a1a8",), 1),
        (MATED, -DECIDED, ("h8g8", "b1b8"), -1),
        (MATES, DECIDED, ("e1d1", "g8f8", "a1a8"), None),
        (MATES, 4.0, ("a1a8",), None),
        (MATES, DECIDED, ("a1a8", "nonsense"), None),
    ],
)
def test_a_mate_at_the_end_of_the_line_is_reported_in_moves(
    place: str, score: float, pv: tuple[str, ...], mate: int | None
) -> None:
    report = told(Sure(score, *pv), place)
    assert report.mate == mate
    assert report.centipawns == 100 * score


def test_only_the_moves_to_be_searched_are_offered() -> None:
    bot = Sure(1, "e1d1")
    told(bot, MATES, Go(moves=("e1d1", "h1h9", "a1a2")))
    told(bot, MATES, Go(moves=("h1h9",)))
    assert [len(turn.legal_moves or ()) for turn in bot.asked] == [2, 23]
