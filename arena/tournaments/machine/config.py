# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournament settings: the one description that is stored, sent, and validated before the start."""

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.invalid import InvalidSetting, invalid
from engine.formats.suite import Opening
from engine.game import Game
from engine.games import counts_points, find
from engine.match.ending import Adjudication
from engine.match.machine import Match
from engine.time_control import TimeControl

MOST_OPENINGS = 5_000
MOST_GAMES = 1_000


class Entry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player of a tournament."""

    name: Annotated[str, Meta(max_length=100)]
    """Name of the bot."""
    time_control: str | None = None
    """The entry's own time control, if it differs from the others'."""


class Config(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The description of a tournament; ``check`` validates it."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    """Name of the tournament."""
    game: str
    """Name of the game."""
    format: AnyFormat
    """The format, with its settings."""
    entries: tuple[Entry, ...]
    """Players in the order of their seeds, the strongest first."""
    games: int = 2
    """Number of games in each pairing, with alternating colours; each two games share an opening."""
    time_control: str | None = None
    """Time control of all games; None: that of the game."""
    openings: tuple[Opening, ...] = ()
    """Suite of openings, in an order that the seed determines; empty: the game's balanced random openings."""
    adjudication: Adjudication | None = None
    """Rules of adjudication; None: the rules of the game alone end games."""
    rated: bool = False
    """Whether the games change the ratings of the ladder."""
    seed: Annotated[int, Meta(ge=0, lt=2**52)] = 0
    """Seed of pairings and openings."""
    concurrency: Annotated[int, Meta(ge=0)] = 0
    """Maximum number of games at once; 0: as many as the bots' capacities allow."""
    anonymous: bool = False
    """Whether the players' names are hidden from everybody until a game ends."""
    mirrored_dice: bool = False
    """Whether the two games of each colour-swapped pair have the same rolls by seat; in unrated tournaments only."""
    patience: Annotated[float, Meta(gt=0, le=1e6)] = 120.0
    """Seconds that a bot may be absent when one of its games is due; then it is withdrawn."""
    ranked_by: Literal["score", "payoff"] | None = None
    """What orders the standings: the score, or the payoff, in points a game; None: the payoff in games that are not
    zero-sum, if the format allows it, else the score."""

    @property
    def by_payoff(self) -> bool:
        """Whether points a game order the standings."""
        if self.ranked_by is not None:
            return self.ranked_by == "payoff"
        try:
            return self.format.may_rank_by_payoff and not find(self.game).zero_sum
        except KeyError:
            return False  # the game is not here any more

    def control(self, first: int, second: int) -> TimeControl:
        """Return the time control of a match between two entries, by their numbers. Raises ValueError."""
        own = find(self.game).time_control if self.time_control is None else TimeControl.parse(self.time_control)
        sides = (self.entries[first], self.entries[second])
        one, other = (own if side.time_control is None else TimeControl.parse(side.time_control) for side in sides)
        return TimeControl.between(one, other)


def check(config: Config) -> None:
    """Raise InvalidSetting, with a message for people, if such a tournament is impossible.

    Loads the rules of the game if openings are to be checked, which may take long.
    """
    try:
        game = find(config.game)
    except KeyError as error:
        raise InvalidSetting("game", str(error.args[0])) from None
    if not game.playable:
        raise InvalidSetting("game", f"{game.name} is not played in tournaments")
    if not config.name.strip() or not config.name.isprintable():
        raise InvalidSetting("name", "a tournament needs a name that can be printed")
    _check_entries(config)
    if not 1 <= config.games <= MOST_GAMES:
        raise InvalidSetting("games", f"a pairing has 1 to {MOST_GAMES} games (got {config.games})")
    if config.mirrored_dice:
        _check_mirrored_dice(config, game)
    if config.ranked_by == "payoff":
        _check_payoff(config)
    config.format.check(len(config.entries), config.games)
    _check_openings(config, game)


def _check_entries(config: Config) -> None:
    if not config.entries:
        raise InvalidSetting("entries", "the tournament has no entries")
    names = Counter(entry.name.lower() for entry in config.entries)
    twice = [entry.name for entry in config.entries if names[entry.name.lower()] > 1]
    if twice:
        raise InvalidSetting("entries", f"{twice[0]} is entered twice")
    if any(not entry.name.strip() for entry in config.entries):
        raise InvalidSetting("entries", "an entry has no name")
    if config.time_control is not None:
        with invalid("time_control"):
            TimeControl.parse(config.time_control)
    for number in range(len(config.entries)):
        with invalid("entries"):
            control = config.control(number, 0)
        if config.rated and control.odds is not None:
            raise InvalidSetting("rated", "games in which the sides have different times cannot be rated")


def _check_payoff(config: Config) -> None:
    if not counts_points(config.game):
        reason = "each win counts one point, so that the score says the same"
        raise InvalidSetting("ranked_by", f"{config.game} has no points to rank by: {reason}")
    if not config.format.may_rank_by_payoff:
        reason = "its players have different opponents, or play until the score decides"
        raise InvalidSetting("ranked_by", f"a {config.format.title} is not ranked by payoff: {reason}")


def _check_mirrored_dice(config: Config, game: Game) -> None:
    field = "mirrored_dice"
    if not game.chance:
        raise InvalidSetting(field, f"{game.name} has no dice that could be mirrored")
    if config.rated:
        reason = "a bot could remember the rolls of the first game of a pair"
        raise InvalidSetting(field, f"rated games have no mirrored dice: {reason}; make the tournament unrated")
    if config.games < 2:
        raise InvalidSetting(field, "mirrored dice need 2 games or more in each pairing")


def _check_openings(config: Config, game: Game) -> None:
    if len(config.openings) > MOST_OPENINGS:
        raise InvalidSetting("openings", f"a suite has at most {MOST_OPENINGS} openings, not {len(config.openings)}")
    for number, opening in enumerate(config.openings, 1):
        try:
            Match(game, start=opening.start, opening=opening.moves)
        except ValueError as error:
            raise InvalidSetting("openings", f"opening {number}: {error}") from None
