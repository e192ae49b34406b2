# SPDX-License-Identifier: GPL-3.0-or-later
"""New matches, as the store records them before they start: the match of two bots about to play, and the match that
follows when one ends, which is the second of its pair or a repetition.
"""

import secrets
from dataclasses import dataclass, replace

from msgspec import structs

from arena.connections.sessions import Entrant
from arena.matches import instructions
from arena.matches.replay import adjudication, written
from arena.peers import FIRST_EPOCH, Referee
from arena.protocol.conditions import Conditions
from arena.settings import Settings
from arena.store.rows import MatchKind, MatchRow, NewMatch
from arena.watching.disclosure import release_of
from engine.game import Game
from engine.match.ending import Adjudication
from engine.match.machine import Match
from engine.time_control import TimeControl

REPLAYS = 3
"""Times that a match is played again because the arena was late, or its bots lost their memory."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to be played; ``sides`` by seat. A rated one outside tournaments gets a second one with seats swapped."""

    game: Game
    sides: tuple[Entrant, Entrant]
    kind: MatchKind
    rated: bool
    time_control: TimeControl
    seed: int
    """The seed of the random opening."""
    opening: tuple[str, ...] = ()
    start: str | None = None
    adjudication: Adjudication | None = None
    tournament: int | None = None
    round: str | None = None
    """Which game of the tournament; such a match has no second one with seats swapped, the tournament plays it."""
    anonymous: bool = False
    """Whether the players stay hidden until the end."""
    mirrored_dice: bool = False
    """Whether the dice are rolled by seat and number of the roll; only in unrated matches: a bot could remember the
    rolls of the other match.
    """
    dice_secret: str | None = None
    """The secret of the other match with the same mirrored dice; None: a random one."""

    def __post_init__(self) -> None:
        if self.mirrored_dice and self.rated:
            raise ValueError("a rated match has no mirrored dice: a bot could remember the rolls of the other match")
        if self.game.secrets is not None and (self.opening or self.start is not None):
            raise ValueError(
                f"a match of {self.game.name} begins at the start of the game: other starts are not secret"
            )


def of_planned(planned: PlannedMatch, settings: Settings, referee: Referee) -> tuple[Match, NewMatch]:
    """Return the match of two bots about to play, at its start, and its record. Raises ValueError if the start or the
    opening does not fit the game.
    """
    game, control = planned.game, planned.time_control
    secret = planned.dice_secret or _dice_secret(game)
    rules = _limited(planned.adjudication, settings, game, planned.start)
    match = Match(
        game,
        opening=planned.opening,
        start=planned.start,
        time_control=control,
        adjudication=rules,
        seed=None if secret is None else int(secret, 16),
        mirrored_dice=planned.mirrored_dice,
    )
    one, other = planned.sides
    new = NewMatch(
        game=game.name,
        time_class=control.time_class,
        time_control=str(control),
        rated=planned.rated,
        seed=planned.seed,
        start=match.start,
        opening=match.opening,
        players=(one.version.id, other.version.id),
        kind=planned.kind,
        tournament=planned.tournament,
        round=planned.round,
        adjudication=written(rules),
        dice_secret=secret,
        mirrored_dice=planned.mirrored_dice,
        conditions=instructions.conditions(control, planned.sides),
        anonymous=planned.anonymous,
        info_release=release_of(
            settings,
            game,
            planned.sides,
            tournament=planned.tournament is not None,
            anonymous=planned.anonymous,
        ),
        owner=referee.owner,
        epoch=referee.epoch,
    )
    return match, new


def sequel(row: MatchRow, match: Match, settings: Settings, *, late: bool, replays: int) -> NewMatch | None:
    """Return the match that follows as one ends: the second of a pair, with the same versions and swapped seats, or
    a repetition of the match if the arena was ``late``, unless there were too many ``replays`` of it already.
    Tournaments do both themselves.

    Both sides must play the second match, connected or not; only a first match without a result has none, because
    the second alone would not be a pair.
    """
    if row.tournament is not None:
        return None
    one, other = row.players
    again = NewMatch(
        game=row.game,
        time_class=row.time_class,
        time_control=row.time_control,
        rated=row.rated,
        seed=row.seed,
        start=row.start,
        opening=row.opening,
        players=(one.version_id, other.version_id),
        pair=row.pair,
        kind=row.kind,
        adjudication=written(_limited(adjudication(row), settings, match.game, row.start)),
        # the players know the dice of the first match, so the second one needs other dice
        dice_secret=_dice_secret(match.game),
        conditions=row.conditions,
        anonymous=row.anonymous,
        info_release=row.info_release,
        owner=row.owner,
        epoch=min(row.epoch, FIRST_EPOCH),
    )
    if late:
        return again if replays < REPLAYS else None
    if not row.rated or row.pair is not None or match.ending is None or match.ending.scores is None:
        return None
    found = Conditions.read(row.conditions)
    return replace(
        again,
        players=(other.version_id, one.version_id),
        pair=row.id,
        conditions=None if found is None else found.swapped.written(),
    )


def _limited(rules: Adjudication | None, settings: Settings, game: Game, start: str | None) -> Adjudication:
    """Return the adjudication rules of a new match: the tournament's, with the ply limit of the settings if the
    tournament has none, or the longest possible match of the game if that is longer. They are stored with the match,
    and later changes of the settings do not affect it. Raises ValueError if the start is not a position.
    """
    rules = rules or Adjudication()
    if rules.plies is not None:
        return rules
    plies = settings.max_plies
    if game.most_plies is not None:
        plies = max(plies, game.most_plies(game.start() if start is None else game.parse_position(start)))
    return structs.replace(rules, plies=plies)


def dice_secret() -> str:
    """Return a random secret for the dice of a match, independent of everything else: 128 bits in hexadecimal."""
    return secrets.token_hex(16)


def _dice_secret(game: Game) -> str | None:
    """Return a random secret for the dice of a new match; None for games without dice."""
    return dice_secret() if game.chance else None
