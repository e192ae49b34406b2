# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in bot for German whist that wants every good trick, without looking ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from bots.bot import Bot, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.game import State
from engine.games import catalogue, find
from engine.games.german_whist import GermanWhist
from engine.games.german_whist.notation import fact
from engine.games.german_whist.rules import LEAD, REPLY, SUIT, TRUMP, UP, beats

GOOD = 8
"""The least rank of a card that the bot wants in the first half, from 0 for the two: the ten. It wants all trumps."""


def choose(state: State, moves: Sequence[int]) -> int:
    """Return a move: the cheapest card that wins a trick that is wanted; else the lowest card.

    It leads its highest card to a trick that it wants. All tricks of the second half are wanted.
    """
    trump, up = fact(state, TRUMP) - 1, fact(state, UP) - 1

    def worth(card: int) -> tuple[bool, int]:
        return card // SUIT == trump, card % SUIT

    wanted = up < 0 or worth(up) >= (False, GOOD)
    lead = fact(state, LEAD) - 1
    if lead < 0 or fact(state, REPLY):
        return max(moves, key=lambda card: worth(card)[::-1]) if wanted else min(moves, key=worth)
    winning = [move for move in moves if beats(move, lead, trump)]
    return min(winning if wanted and winning else moves, key=worth)


class GreedyBot(Bot):
    """Knows its own hand and the table; the same question has the same answer."""

    name = "greedy"
    description = "German whist: wins each good trick as cheaply as it can, and plays its lowest card to the others."
    capacity = 16

    def prepare(self, names: Sequence[str]) -> None:
        """Compile the rules, or load them from the cache."""
        for game in map(find, names):
            game.look(game.start())

    def move(self, turn: Turn) -> str:
        """Return a move."""
        game = find(turn.game)
        # the cards that are made up are not used
        state = game.possible(turn.position, turn.seat, Random(seed(turn.match, self.name, turn.ply)))
        return game.format_move(state, choose(state, game.look(state).moves))


@dataclass(frozen=True, slots=True)
class Greedy(BuiltInBot):
    """The bot plays German whist."""

    enters: ClassVar[Enters] = Enters.LAST

    def make(self) -> Bot:
        """Return a new player."""
        bot = GreedyBot()
        bot.games = tuple(filter(self.plays, catalogue()))
        return bot

    def plays(self, game: str) -> bool:
        """Return whether a game is German whist."""
        return find(game).state is GermanWhist


BOTS = (Greedy(GreedyBot.name, GreedyBot.description),)
