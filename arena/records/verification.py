# SPDX-License-Identifier: GPL-3.0-or-later
"""Verification of the records: every match against the rules of its game, every rating against the matches behind it.

Reads one row after the other, so a large arena is checked in little memory.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from arena.feature import Features
from arena.matches.replay import adjudication
from arena.protocol.messages import commitment as commit
from arena.rating import elo
from arena.rating.payoffs import Payoffs
from arena.store.audit import Audit, ChangeRow, StoredRating, VersionRecord
from arena.store.backups.manifest import Manifest
from arena.store.rows import MatchRow, StoredMatch
from engine.game import CHANCE, Game
from engine.games import find
from engine.match.dice import mirrored_roll, roll, roller
from engine.match.ending import FORFEITS, SCORES, Ending, Termination
from engine.match.events import Ended, Event, Moved, decode_event
from engine.match.machine import Match
from engine.match.record import Record
from engine.time_control import TimeControl

_BY_RULE = (
    Termination.DECIDED,
    Termination.REPETITION,
    Termination.NO_PROGRESS,
    Termination.PLY_LIMIT,
    Termination.ADJUDICATION,
)
_CLOSE = 1e-6
"""Rating points by which the arithmetic of two machines may differ."""


class Finding(NamedTuple):
    """Something that is not as it must be."""

    check: str
    """The broken guarantee; the same words for each finding of a kind."""
    where: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class RecordSource:
    """The source of records, with the facts that show whether they are complete."""

    file: Path | None = None
    """Of SQLite."""
    had_log: bool = False
    """Whether a write-ahead log stood beside the file before it was opened."""
    manifest: Manifest | None = None
    """The manifest of a backup, whose records must still exist."""


@dataclass(slots=True)
class VerificationReport:
    """Result of a verification: ``counts`` by check, and the first findings of each kind."""

    matches: int = 0
    replayed: int = 0
    pruned: int = 0
    unknown_games: int = 0
    """Matches of games that this server does not have, which cannot be replayed."""
    events: int = 0
    changes: int = 0
    ratings: int = 0
    checked: Counter[str] = field(default_factory=Counter)
    """Numbers of checked records of features, by kind."""
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether the check has no findings."""
        return not self.counts

    def note(self, findings: Iterable[Finding], keep: int) -> None:
        """Count findings, and keep those that are among the first of their kind."""
        for finding in findings:
            self.counts[finding.check] += 1
            if self.counts[finding.check] <= keep:
                self.findings.append(finding)


def verify(
    audit: Audit, keep: int = 20, source: RecordSource = RecordSource(), features: Features = ()
) -> VerificationReport:
    """Check everything, including the records of ``features``; report at most ``keep`` findings of a kind in full."""
    report = VerificationReport()
    report.note(check_source(audit, source), keep)
    report.note((Finding("no row is an orphan", each.where, each.what) for each in audit.orphans()), keep)
    for stored in audit.matches():
        report.matches += 1
        report.events += len(stored.events)
        report.pruned += stored.row.pruned
        report.note(check_match(stored), keep)
        if not stored.row.pruned:
            if _is_known(stored.row.game):
                report.replayed += 1
                report.note(check_play(stored, find(stored.row.game)), keep)
            else:
                report.unknown_games += 1
    for record in audit.versions():
        report.changes += len(record.changes)
        report.ratings += len(record.ratings)
        report.note(check_version(record), keep)
    for feature in features:
        report.note(feature.verify(audit, report.checked), keep)
    return report


def check_source(audit: Audit, source: RecordSource) -> Iterator[Finding]:
    """Check that the records are complete: a copy of a live SQLite file lacks its write-ahead log."""
    if source.manifest is not None:
        for where, what in audit.missing(source.manifest.counts):
            yield Finding("no record of the backup is missing", where, what)
    if source.file is not None and not source.had_log and audit.is_live_copy(source.file):
        what = (
            "copied while a server ran on it, without its write-ahead log: matches may be missing; use `arena backup`"
        )
        yield Finding("the database file is whole", source.file.name, what)


# ---------------------------------------------------------------- a match by itself


def check_match(stored: StoredMatch) -> Iterator[Finding]:
    """Check that a match has the rating changes and the event numbers it must have."""
    row, where = stored.row, f"match {stored.row.id}"
    changed = [player.rating_after is not None for player in row.players]
    if row.status == "finished" and row.rated and row.result in SCORES:
        if not all(changed):
            yield Finding("a finished rated match changes both ratings", where, f"changes by seat: {changed}")
    elif any(changed):
        yield Finding("a live, unrated or void match changes no rating", where, f"changes by seat: {changed}")
    numbers = [event.number for event in stored.events]
    if row.pruned and numbers:
        yield Finding("a pruned match has no events", where, f"{len(numbers)} events")
    if numbers != list(range(len(numbers))):
        yield Finding("events are numbered from 0 without gaps", where, _gap(numbers))


def _gap(numbers: Sequence[int]) -> str:
    wrong = next(index for index, number in enumerate(numbers) if number != index)
    return f"{wrong} is missing of {len(numbers)} events up to number {numbers[-1]}"


def _is_known(game: str) -> bool:
    try:
        find(game)
    except KeyError:
        return False
    return True


def check_play(stored: StoredMatch, game: Game) -> Iterator[Finding]:
    """Play the match again: every event must follow from the rules, and the end must be the one that is stored."""
    try:
        events = [decode_event(event.body) for event in stored.events]
        match = _set_up(stored.row, game)
        for event in events:
            _repeat(match, event)
        for played, event in zip(match.events, events, strict=False):
            if played != event:
                raise ValueError(f"it should have {played}, but the record has {event}")
        if match.ending is not None and len(events) != len(match.events):
            raise ValueError(f"by the rules it ends after {len(match.events)} events, but it has {len(events)}")
    except ValueError as error:
        yield Finding("a stored match replays legally", f"match {stored.row.id}", str(error))
        return
    yield from _check_end(stored.row, match, bool(events) and isinstance(events[-1], Ended))


def _set_up(row: MatchRow, game: Game) -> Match:
    control = None if row.time_control is None else TimeControl.parse(row.time_control)
    return Match(
        game,
        opening=row.opening,
        start=row.start,
        time_control=control,
        adjudication=adjudication(row),
        seed=row.dice_seed,
        mirrored_dice=row.mirrored_dice,
    )


def _repeat(match: Match, event: Event) -> None:
    """Let an event happen again. Raises ValueError when the match would have gone otherwise."""
    if isinstance(event, Moved) and event.seat == CHANCE:
        rolled = event.ply - len(match.opening) - 1
        shown = match.moves[rolled] if rolled < len(match.moves) else None
        if shown != event:
            raise ValueError(
                f"at ply {event.ply} the dice should show {shown and shown.move}, but the record has {event.move}"
            )
    elif isinstance(event, Moved):
        free = _forgiven(match, event)
        events = match.play(
            event.seat, event.move, event.elapsed, event.info, free=free, instructions=event.instructions
        )
        # where both seats choose at the same time, the first choice is no event yet; ``check_play`` compares it
        made = next((each for each in events if not isinstance(each, Moved) or each.seat == event.seat), event)
        if made != event:
            raise ValueError(f"ply {event.ply} should be {made}, but the record has {event}")
    elif isinstance(event, Ended) and match.ending is not None:
        if match.ending != event.ending:
            raise ValueError(f"by the rules it ends with {match.ending}, but the record has {event.ending}")
    elif isinstance(event, Ended) and event.ending.termination in _BY_RULE:
        raise ValueError(f"the rules do not end it here, but the record has {event.ending}")
    else:
        if isinstance(event, Ended):
            _check_payoff(match, event.ending)
        match.apply(event)


def _check_payoff(match: Match, ending: Ending) -> None:
    """Check the payoffs of an end that the rules of the game did not bring. Raises ValueError."""
    if ending.winner is None:
        points = None
    elif match.game.points_given_up is not None:
        points = match.game.points_given_up(match.position.state, 1 - ending.winner)
    else:
        points, lost = None, match.game.given_up(match.position, 1 - ending.winner)
        if ending.payoff != lost:
            raise ValueError(f"the winner gets {lost:g} points, but the record has {ending.payoff:g}")
    if ending.points != points:
        raise ValueError(f"the points should be {points}, but the record has {ending.points}")


def _forgiven(match: Match, moved: Moved) -> int:
    """Return how much of a move's time its clock was not charged with; 0 when no clock could have come to that."""
    if moved.clock is None or match.clocks is None or match.time_control is None:
        return 0
    # the clock after a move that took no time
    most = match.time_control.of(moved.seat).after(match.clocks[moved.seat], match.own_moves[moved.seat] + 1)
    charged = most - moved.clock
    return moved.elapsed - charged if 0 <= charged <= moved.elapsed else 0


def _check_end(row: MatchRow, match: Match, told: bool) -> Iterator[Finding]:
    """Check the end in the row against the one that was played; ``told``: the events tell it too."""
    where, check = f"match {row.id}", "a match ends as it was played"
    if row.status == "live":
        if match.ending is not None:
            yield Finding("a live match goes on", where, str(match.ending))
        return
    if row.result == "*" and not told:
        return  # ended by an operator or a restart, in the row alone
    stored = row.ending
    if not told or stored != match.ending:
        played = match.ending if told else "no end in its events"
        yield Finding(check, where, f"stored: {stored}; played: {played}")
    if row.plies != match.ply:
        yield Finding(check, where, f"stored: {row.plies} plies; played: {match.ply}")


# ---------------------------------------------------------------- the ratings of a version


def check_version(record: VersionRecord) -> Iterator[Finding]:
    """Count a version's ratings up again from where they started, change by change, in each game and time class."""
    changes: dict[tuple[str, str], list[ChangeRow]] = defaultdict(list)
    for change in record.changes:
        changes[change.game, change.time_class].append(change)
    ratings = {(each.game, each.time_class): each for each in record.ratings}
    for place in changes.keys() | ratings.keys():
        game, time_class = place
        where = f"version {record.version_id}, {game}, {time_class}"
        stored = ratings.get(place)
        start = elo.INITIAL if stored is None else stored.initial
        yield from _check_ratings(where, in_order(changes[place], start), stored, start)


def in_order(changes: Sequence[ChangeRow], start: float = elo.INITIAL) -> Sequence[ChangeRow]:
    """Return a version's changes in the order they were made, which is that of time unless a clock was set back.

    Then each is looked for that starts from the rating the last one left, the earliest first; where that leads to no
    order of all of them, the order of time stays.
    """
    if all(one.after == other.before for one, other in pairwise(changes)):
        return changes
    starting: dict[float, list[ChangeRow]] = defaultdict(list)
    for change in reversed(changes):
        starting[change.before].append(change)
    ordered: list[ChangeRow] = []
    rating = start
    while starting.get(rating):
        ordered.append(starting[rating].pop())
        rating = ordered[-1].after
    return ordered if len(ordered) == len(changes) else changes


def _check_ratings(
    where: str, changes: Sequence[ChangeRow], stored: StoredRating | None, start: float
) -> Iterator[Finding]:
    check = "ratings equal the replayed history"
    rating, failures = start, 0
    tally: Counter[float] = Counter()
    payoffs = Payoffs()
    for games, change in enumerate(changes):
        at = f"{where}, match {change.match_id}"
        if change.before != rating:
            yield Finding(check, at, f"it starts from {change.before}, and the one before left {rating}")
        score = SCORES[change.result][change.seat] if change.result in SCORES else 0.5
        before, opponent = elo.EloRating(change.before, games), elo.EloRating(change.opponent)
        expected, _ = elo.rate(before, opponent, score)
        if abs(expected - change.after) > _CLOSE:
            yield Finding(check, at, f"it leads to {change.after}, and should lead to {expected}")
        tally[score] += 1
        payoffs.add(change.own_payoff)
        failures += score == 1 and change.termination in FORFEITS
        rating = change.after
    kept = (rating, len(changes), tally[1.0], tally[0.5], tally[0.0], failures, start, payoffs.total, payoffs.squares)
    if stored is None or stored[3:] != kept:
        words = "rating, games, wins, draws, losses, wins by failure, start, sum of payoffs, sum of their squares"
        yield Finding(check, where, f"{words} are stored as {stored and stored[3:]}, and follow as {kept}")


# ---------------------------------------------------------------- rolls
#
# The dice of a finished game must match the published secret.


def check_rolls(record: Record, commitment: str | None = None) -> int:
    """Verify all rolls of a record and return their number; mirrored dice by seat and number of the roll.

    Raises KeyError if the game is unknown, and ValueError with the problem if a roll differs from the seed's, the
    record has no seed, or the seed does not match ``commitment``.
    """
    if record.seed is None:
        raise ValueError("it has no seed, so its dice cannot be checked")
    if commitment is not None and commitment_of(record) != commitment:
        raise ValueError("the commitment does not belong to its seed")
    game, checked, rolls = find(record.game), 0, [0, 0]
    texts = (*record.opening, *(played.move for played in record.moves))
    for ply, (position, text) in enumerate(zip(record.positions(), texts, strict=False)):
        if position.to_move != CHANCE or ply < len(record.opening):
            continue
        if record.mirrored_dice:
            seat = roller(game, position)
            move = mirrored_roll(game, position, record.seed, seat, rolls[seat])
            rolls[seat] += 1
        else:
            move = roll(game, position, record.seed, ply)
        due = game.format_move(position.state, move)
        if due != text:
            raise ValueError(f"after {ply} plies the dice should show {due}, but the record has {text}")
        checked += 1
    return checked


def commitment_of(record: Record) -> str:
    """Return the commitment to the seed of a record. Raises ValueError when it is none of 128 bits."""
    return commit("" if record.seed is None else f"{record.seed:032x}")
