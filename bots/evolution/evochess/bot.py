# SPDX-License-Identifier: GPL-3.0-or-later
"""Evolved players as bots: each move costs as many nodes on average as the genome file says."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from bots.bot import Bot, Match, Over, Reply, Turn
from bots.built_in.course import FollowedMatch, found_reply, pace
from bots.evolution.evochess import CHAMPION, CHAMPIONS
from bots.evolution.evochess.genome import Read, champion, champion_games, express, write
from bots.evolution.evochess.player import Player
from engine import games

LABEL = 12
"""Characters of a version."""


class SearchGenomeBot(Bot):
    """Plays the games of its genomes. Its version depends on the genomes and their nodes alone.

    A move costs the nodes of its file on average, and fewer if the clock is short.
    """

    capacity = 4

    def __init__(self, kept: Mapping[str, Read], name: str, description: str) -> None:
        self.kept = kept
        self._settings = {game: express(one.schema, one.genome) for game, one in kept.items()}
        self._players: dict[int, tuple[Player, FollowedMatch]] = {}
        self.name = name
        self.description = description
        self.games = tuple(kept)
        self.version = label(*kept.values())

    def prepare(self, names: Sequence[str]) -> None:
        """Compile the rules and the search of these games, or load them from the cache."""
        for name in set(names) & set(self.kept):
            game = games.find(name)
            start = game.look(game.start())
            game.play(start, start.moves[0])
            Player(game, self._settings[name], 1).choose(start)

    def match_started(self, match: Match) -> None:
        """Store the positions so far."""
        self._new(match.match, match.game)[1].begin(match)

    def match_over(self, over: Over) -> None:
        """Drop the match."""
        self._players.pop(over.match, None)

    def move(self, turn: Turn) -> Reply:
        """Search the position; return the move with search info."""
        player, course = self._players.get(turn.match) or self._new(turn.match, turn.game)
        position = course.arrive(turn)
        found = player.choose(position, course.history, _seconds(turn))
        reply = found_reply(player.game, player.evaluation, position, found)
        course.follow(reply.move)
        return reply

    def _new(self, match: int, name: str) -> tuple[Player, FollowedMatch]:
        game = games.find(name)
        found = Player(game, self._settings[name], self.kept[name].nodes), FollowedMatch(game)
        self._players[match] = found
        return found


def _seconds(turn: Turn) -> float | None:
    """Return the time limit of a move in seconds; None without a clock."""
    if turn.clocks is None:
        return None
    return pace(turn.clocks[turn.seat] / 1000, turn.increment / 1000, turn.moves_to_go).hard


class ChampionBot(SearchGenomeBot):
    """Plays the shipped champions of one name."""

    def __init__(self, name: str = CHAMPION) -> None:
        super().__init__({game: champion(game, name) for game in champion_games(name)}, name, CHAMPIONS[name])


def label(*kept: Read) -> str:
    """Return the version of genomes: the same for the same genomes and nodes."""
    text = "".join(write(one.schema, one.genome, one.nodes) for one in kept)
    return "s" + sha256(text.encode()).hexdigest()[: LABEL - 1]
