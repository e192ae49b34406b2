# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament as people and programs see it."""

from collections.abc import Mapping

from msgspec import Struct, structs

from arena.rating.difference import interval, moments, normalised, superiority
from arena.rating.logistic import difference_of
from arena.store.rows import TournamentRow
from arena.tournaments.machine.bout import Bout
from arena.tournaments.machine.events import Slot
from arena.tournaments.machine.formats import AnyFormat, Gauntlet, Knockout, Ladder, RoundRobin, SprtMatch
from arena.tournaments.machine.plans import knockout, ladder, sprt, table
from arena.tournaments.machine.standings import standings, tiebreak_names
from arena.tournaments.machine.tournament import Tournament

MOST_SCHEDULED = 500
"""Boards of rounds to come that are told."""


class StandingView(Struct, frozen=True, kw_only=True):
    """A player's place; equals share a rank."""

    rank: int
    entry: int
    """The number of the entry, from 0 in the order of the seeds."""
    name: str
    points: float
    tiebreaks: tuple[float, ...]
    """In the order of `tiebreaks` of the tournament."""
    games: int
    wins: int
    draws: int
    losses: int
    withdrawn: str | None
    """Why, where it plays no more."""
    annulled: bool
    """Whether it played too few games for any of them to count, for itself or for others."""


class GameView(Struct, frozen=True, kw_only=True):
    """A game of a bout."""

    slot: str
    """Its place: round, board and game, as PGN's Round."""
    score: float | None
    """What the first of the bout scored; null as long as there is no result."""
    score_second: float | None
    """What the second scored: where nobody came it is not the rest."""
    match: int | None
    """Its record; null where it was not played."""
    status: str
    """played, unplayed, live or due."""


class BoutView(Struct, frozen=True, kw_only=True):
    """Two who meet; `second` is null where the first has a bye."""

    board: int
    first: int
    second: int | None
    points: tuple[float, float]
    games: list[GameView]
    winner: int | None
    """Of a knockout: who won, by the seed where the points are equal; null until that is decided, and in other formats.
    """


class TestView(Struct, frozen=True, kw_only=True):
    """What a sequential test says of the first player."""

    pentanomial: tuple[int, int, int, int, int]
    """Pairs in which the first scored 0, 1/2, 1, 1 1/2 and 2 points."""
    ratio: float
    """The log-likelihood ratio."""
    bounds: tuple[float, float]
    accepted: str | None
    """H0 or H1, once it is sure."""
    elo: float | None
    """The difference in points of Elo by the score; null where that is unbounded."""
    interval: tuple[float | None, float | None]
    """Its 95 % interval; null for an end that is unbounded."""
    normalised: tuple[float, float] | None
    """The difference in points of normalised Elo, and how far its 95 % interval reaches; null while unknown."""
    superiority: float
    """How sure it is, from 0 to 1, that the first is the stronger."""


class TournamentView(Struct, frozen=True, kw_only=True):
    """A tournament with its standings and rounds."""

    id: int
    name: str
    game: str
    status: str
    """created, running, paused, finished or cancelled."""
    format: AnyFormat
    games: int
    """Whenever two meet."""
    time_control: str | None
    rated: bool
    anonymous: bool
    """Whether nobody is told who plays a game before it ends. While such a tournament is under way, rounds hold the
    games that are over, and nothing of games that go on or are due."""
    created: float
    ended: float | None
    over: str | None
    """Why it is over, once it is."""
    waiting: str | None = None
    """What is being compiled before its games can start, for people, with about how long that takes."""
    entries: list[str]
    played: int
    """Games that have a result."""
    due: int
    """Games of the present round that have none."""
    rounds_planned: int | None
    """How many rounds there will be; null where results decide."""
    tiebreaks: tuple[str, ...]
    standings: list[StandingView]
    rounds: list[list[BoutView]]
    schedule: list[list[tuple[int, int]]]
    """Who meets whom in the rounds to come, as far as that is known, and not much further than people read."""
    test: TestView | None
    """Of a sequential test."""
    wrong: float | None
    """Of a ladder: the share of pairs of players that is expected to be in the wrong order."""


def view(row: TournamentRow, tournament: Tournament, live: Mapping[Slot, int]) -> TournamentView:
    """Return how a tournament stands; ``live`` are its matches that go on."""
    config, course = tournament.config, tournament.course
    names = [entry.name for entry in config.entries]
    due = {each.slot for each in tournament.due()}
    rounds = [[_bout(tournament, bout, live, due) for bout in bouts] for bouts in course.rounds]
    return TournamentView(
        id=row.id,
        name=row.name,
        game=row.game,
        status=row.status,
        format=config.format,
        games=config.games,
        time_control=config.time_control,
        rated=config.rated,
        anonymous=config.anonymous,
        created=row.created,
        ended=row.ended,
        over=tournament.over,
        entries=names,
        played=sum(len(bout.games) for bout in course.bouts),
        due=len(due),
        rounds_planned=config.format.rounds_planned(len(names)),
        tiebreaks=tiebreak_names(course),
        standings=[
            StandingView(
                rank=line.rank,
                entry=line.player,
                name=names[line.player],
                points=line.points,
                tiebreaks=line.tiebreaks,
                games=line.games,
                wins=line.wins,
                draws=line.draws,
                losses=line.losses,
                withdrawn=line.withdrawn,
                annulled=line.annulled,
            )
            for line in standings(course)
        ],
        rounds=rounds,
        schedule=_schedule(tournament),
        test=_test(tournament),
        wrong=ladder.uncertainty(course) if isinstance(config.format, Ladder) else None,
    )


def public(shown: TournamentView) -> TournamentView:
    """Return a tournament as everybody may see it: where it hides who plays, only games that are over are told."""
    if not shown.anonymous or shown.over is not None:
        return shown
    past = shown.rounds[: -1 if shown.due else None]
    present = [] if len(past) == len(shown.rounds) else [_played(shown.rounds[-1])]
    return structs.replace(shown, rounds=past + present, schedule=[])


def _played(bouts: list[BoutView]) -> list[BoutView]:
    """Return what is over of a round that goes on; who has a bye is told with its end, as it tells of the others."""
    return [
        structs.replace(bout, games=games)
        for bout in bouts
        if (games := [game for game in bout.games if game.status in ("played", "unplayed")])
    ]


def _bout(tournament: Tournament, bout: Bout, live: Mapping[Slot, int], due: set[Slot]) -> BoutView:
    first, second = bout.players
    numbers = {*bout.games, *(slot.game for slot in due if slot[:2] == (bout.round, bout.board))}
    games = [_game(bout, bout.slot(number), live) for number in sorted(numbers)]
    winner = _winner(tournament, bout)
    return BoutView(board=bout.board, first=first, second=second, points=bout.points, games=games, winner=winner)


def _winner(tournament: Tournament, bout: Bout) -> int | None:
    known = tournament.config.format
    if not isinstance(known, Knockout):
        return None
    decided = len(bout.games) >= knockout.wanted(tournament.course, known, bout)
    return knockout.winner(tournament.course, bout) if decided else None


def _game(bout: Bout, slot: Slot, live: Mapping[Slot, int]) -> GameView:
    game = bout.games.get(slot.game)
    if game is None:
        status = "live" if slot in live else "due"
        return GameView(slot=str(slot), score=None, score_second=None, match=live.get(slot), status=status)
    status = "unplayed" if game.match is None else "played"
    return GameView(slot=str(slot), score=game.scores[0], score_second=game.scores[1], match=game.match, status=status)


def _test(tournament: Tournament) -> TestView | None:
    known = tournament.config.format
    if not isinstance(known, SprtMatch):
        return None
    found = sprt.verdict(tournament.course, known)
    counts = found.counts
    return TestView(
        pentanomial=counts,
        ratio=found.ratio,
        bounds=known.test.bounds,
        accepted=found.accepted,
        elo=difference_of(moments(counts)[1]) if any(counts) else None,
        interval=interval(counts),
        normalised=normalised(counts),
        superiority=superiority(counts),
    )


def _schedule(tournament: Tournament) -> list[list[tuple[int, int]]]:
    """Return the rounds to come of a table, until there are many boards."""
    known, course = tournament.config.format, tournament.course
    if tournament.over is not None or not isinstance(known, RoundRobin | Gauntlet):
        return []
    rounds: list[list[tuple[int, int]]] = []
    boards = 0
    for pairs in table.table(len(course.config.entries), known)[len(course.rounds) :]:
        boards += len(pairs)
        if rounds and boards > MOST_SCHEDULED:
            break
        rounds.append(pairs)
    return rounds
