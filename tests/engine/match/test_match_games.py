# SPDX-License-Identifier: GPL-3.0-or-later
"""Random games of every game end as a slow referee, which compares position texts, decides."""

import random

import pytest

from engine import games
from engine.game import Game, Position
from engine.match.ending import Ending, Termination
from engine.match.events import decode_event, encode_event
from engine.match.machine import Match
from engine.rules import FORBIDDEN, Draws

SHORT = Draws(repetition=2, no_progress_plies=10, plies=120)
"""Draws come early by these, so that games by chance meet all of them."""


class Judge:
    """Follows a match by the written positions alone."""

    def __init__(self, game: Game, draws: Draws) -> None:
        self.game, self.draws = game, draws
        self.position = game.look(game.start())
        self.places = [self.place()]
        self.quiet = 0
        self.diagrams = {game.diagram(self.position.state)}
        """Boards that must not recur if repetition is forbidden."""

    def cut(self, position: Position) -> Ending:
        """How the match ends by the ply limit."""
        if self.game.points_so_far is None:
            return Ending("1/2-1/2", Termination.PLY_LIMIT)
        first, second = self.game.points_so_far(position.state)
        result = "1-0" if first > second else "0-1" if second > first else "1/2-1/2"
        if self.game.points_given_up is not None:
            return Ending(result, Termination.PLY_LIMIT, points=(first, second))
        return Ending(result, Termination.PLY_LIMIT, payoff=abs(first - second) / 2 or 1.0)

    def place(self) -> tuple[str, int]:
        return self.game.format_position(self.position.state), self.position.to_move

    def judge(self, move: str) -> Ending | None:
        """How the match ends by this move, if it does."""
        draws, position = self.draws, self.game.play(self.position, self.game.parse_move(self.position, move))
        before, self.position = self.position, position
        self.places.append(self.place())
        self.quiet = 0 if position.irreversible else self.quiet + 1
        if position.over:
            first, second = position.payoffs
            result = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[(first > second) - (first < second)]
            if self.game.points_given_up is not None:
                return Ending(result, Termination.DECIDED, points=(first, second))
            return Ending(result, Termination.DECIDED, payoff=max(first, second) or 1.0)
        if draws.repetition == FORBIDDEN:
            drawn = self.game.diagram(position.state)
            assert drawn == self.game.diagram(before.state) or drawn not in self.diagrams
            self.diagrams.add(drawn)
        elif draws.repetition is not None and self.places.count(self.places[-1]) >= draws.repetition:
            return Ending("1/2-1/2", Termination.REPETITION)
        if draws.no_progress_plies is not None and self.quiet >= draws.no_progress_plies:
            return Ending("1/2-1/2", Termination.NO_PROGRESS)
        if draws.plies is not None and len(self.places) > draws.plies:
            return self.cut(position)
        return None


@pytest.mark.parametrize("name", games.catalogue())
@pytest.mark.parametrize("seed", range(4))
def test_random_games_end_as_expected_and_can_be_replayed(name: str, seed: int) -> None:
    game = games.find(name)
    draws = SHORT if seed % 2 else game.draws
    chance = random.Random(seed)
    match, judge = Match(game, draws=draws, seed=seed), Judge(game, draws)
    judged, ending = 0, None
    while match.to_move is not None:
        match.play(match.to_move, chance.choice(match.legal))
        for moved in match.moves[judged:]:
            assert ending is None
            ending = judge.judge(moved.move)
        judged = len(match.moves)
        assert match.ending == ending
    events = [decode_event(encode_event(event)) for event in match.events]
    again = Match.replay(game, draws=draws, events=events)
    assert (again.position, again.events, again.ending) == (match.position, match.events, match.ending)


@pytest.mark.parametrize("name", games.catalogue())
def test_no_position_before_an_irreversible_move_occurs_again(name: str) -> None:
    game = games.find(name)
    chance = random.Random(5)
    for _ in range(10):
        position = game.look(game.start())
        gone: set[str] = set()
        since: list[str] = []
        for _ in range(200):
            if position.over:
                break
            since.append(game.format_position(position.state))
            position = game.play(position, chance.choice(position.moves))
            assert game.format_position(position.state) not in gone
            if position.irreversible:
                gone.update(since)
                since.clear()
