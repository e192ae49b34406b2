# SPDX-License-Identifier: GPL-3.0-or-later
"""Twin matches of a game with hidden information: one seat and the public cannot tell them apart.

Both have the same public actions; what the other seat knows, or has chosen in secret, differs.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

import pytest

from engine.game import CHANCE, Game, Position
from engine.games import catalogue
from engine.match import dice, machine
from engine.match.machine import Match
from tests.engine.match.guessing import GAME as GUESSING

TRIES = 3000
"""Random pairs of matches that are tried."""
PAIRS = 400
"""Pairs after which one that was found is enough."""
LONG_DEAL = 20
"""Cards of a first deal that no two seeds deal alike: the decks of such a game are stacked."""
LONGEST = 12
"""Actions after which a pair is long enough."""


NO_DECKS: Mapping[int, tuple[int, ...]] = {}


def games_with_secrets() -> list[Game]:
    """Return the games with hidden information, and the small one of the tests."""
    return [GUESSING, *(game for game in catalogue().values() if game.secrets is not None)]


@dataclass(frozen=True)
class Twins:
    """Two matches that differ for one seat only, and the actions that lead there."""

    game: Game
    seeds: tuple[int, int]
    actions: tuple[tuple[int, tuple[str, str]], ...]
    """The seat of each action, and its text in both matches."""
    knowing: int
    """The seat for which the matches differ."""
    decks: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Stacked decks, by seed. In them ``Game.deal_place`` is the number of cards that have been dealt."""

    def matches(self) -> tuple[Match, Match]:
        """Return both matches after the actions."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(machine, "roll", self.roll)
            one, other = (Match(self.game, seed=seed) for seed in self.seeds)
            for seat, texts in self.actions:
                for match, text in zip((one, other), texts, strict=True):
                    match.play(seat, text)
        return one, other

    def roll(self, game: Game, position: Position, seed: int, ply: int) -> int:
        """Deal from the stacked deck of a seed; else roll as matches do. It replaces ``engine.match.machine.roll``."""
        if seed not in self.decks:
            return dice.roll(game, position, seed, ply)
        assert game.deal_place is not None
        return self.decks[seed][int(game.deal_place(position.state))]


def alike(one: Match, other: Match, blind: int) -> bool:
    """Tell whether a seat and the public have seen the same in two matches."""
    return all(
        one.seen_by(viewer) == other.seen_by(viewer)
        and one.observe(viewer) == other.observe(viewer)
        and (one.asked, one.ply, one.ending) == (other.asked, other.ply, other.ending)
        for viewer in (blind, None)
    )


def twins(game: Game, knowing: int, seed: int = 0) -> Twins:
    """Return the longest twins that a random search finds: it pairs matches whose deals look the same to the others."""
    chance = Random(seed)
    if len(Match(game, seed=0).moves) >= LONG_DEAL:
        return _stacked(game, knowing, chance)
    found: Twins | None = None
    dealt: dict[Hashable, int] = {}
    pairs = 0
    for _ in range(TRIES):
        own = chance.getrandbits(64)
        begun = Match(game, seed=own)
        seen = tuple((begun.observe(viewer), tuple(begun.seen_by(viewer))) for viewer in (1 - knowing, None))
        # of a large deck few deals look the same
        earlier = dealt.get(seen)
        dealt[seen] = own
        if earlier is None:
            continue
        pairs += 1
        each = _tried(game, knowing, (earlier, own), chance)
        if each is not None and (found is None or len(each.actions) > len(found.actions)):
            found = each
        if found is not None and (pairs >= PAIRS or len(found.actions) >= LONGEST):
            break
    assert found is not None, f"no two matches of {game.name} differ for seat {knowing} only"
    return found


def _stacked(game: Game, knowing: int, chance: Random) -> Twins:
    """Return the longest twins of a game of cards: one card of a hand changes places with the last card of the deck."""
    found: Twins | None = None
    for _ in range(TRIES // 10):
        deck = list(game.look(game.start()).moves)
        chance.shuffle(deck)
        seeds = chance.getrandbits(64), chance.getrandbits(64)
        place = chance.randrange(len(deck) // 2)
        swapped = [*deck[:place], deck[-1], *deck[place + 1 : -1], deck[place]]
        decks = {seeds[0]: tuple(deck), seeds[1]: tuple(swapped)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(machine, "roll", Twins(game, seeds, (), knowing, decks).roll)
            each = _tried(game, knowing, seeds, chance, decks)
        if each is not None and (found is None or len(each.actions) > len(found.actions)):
            found = each
        if found is not None and len(found.actions) >= LONGEST:
            break
    assert found is not None, f"no two matches of {game.name} differ for seat {knowing} only"
    return found


def _tried(
    game: Game,
    knowing: int,
    seeds: tuple[int, int],
    chance: Random,
    decks: Mapping[int, tuple[int, ...]] = NO_DECKS,
) -> Twins | None:
    one, other = (Match(game, seed=seed) for seed in seeds)
    actions: list[tuple[int, tuple[str, str]]] = []
    kept: Twins | None = None
    while alike(one, other, 1 - knowing) and one.ending is None:
        if one.observe(knowing) != other.observe(knowing) and actions:
            kept = Twins(game, seeds, tuple(actions), knowing, decks)
        if len(actions) == LONGEST:
            break
        assert one.position.to_move != CHANCE, "the matches roll by their seeds"
        seat = chance.choice(one.asked)
        pair = _action(one, other, seat, chance, apart=seat == knowing)
        if pair is None:
            break
        for match, text in zip((one, other), pair, strict=True):
            match.play(seat, text)
        actions.append((seat, pair))
    return kept


def _action(one: Match, other: Match, seat: int, chance: Random, *, apart: bool) -> tuple[str, str] | None:
    """Return a move of a seat in both matches; ``apart``: the moves may differ where nobody else can see it."""
    mine, theirs = one.legal_of(seat), other.legal_of(seat)
    if not apart:
        both = [text for text in mine if text in theirs]
        return (text := chance.choice(both), text) if both else None
    for _ in range(20):
        pair = chance.choice(mine), chance.choice(theirs)
        if _told(one, seat, pair[0]) == _told(other, seat, pair[1]):
            return pair
    same = [text for text in mine if text in theirs]
    return (text := chance.choice(same), text) if same else None


def _told(match: Match, seat: int, text: str) -> list[str]:
    """Return the texts of a move that the others see."""
    game, secrets = match.game, match.game.secrets
    assert secrets is not None
    position = match.position
    if seat == 1 and position.simultaneous:
        position = game.play(position, position.moves[0])
    move = game.parse_move(position, text)
    return [secrets.disclose(position.state, move, viewer) for viewer in (1 - seat, None)]


def all_twins() -> Iterator[tuple[Game, int]]:
    """Yield each game with secrets, and each seat that may know more than the other."""
    for game in games_with_secrets():
        for knowing in (0, 1):
            if game is not GUESSING or knowing == 0:
                yield game, knowing
