# SPDX-License-Identifier: GPL-3.0-or-later
"""Public view of a tournament: standings, rounds, games, and test statistics."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, structs

from arena.rating.difference import difference_of, interval, moments, normalised, superiority
from arena.store.rows import TournamentRow
from arena.tournaments.machine.course import Bout
from arena.tournaments.machine.events import Slot
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.standings import standings
from arena.tournaments.machine.tournament import Tournament
from engine.games import counts_points, has_secrets

MOST_PLANNED = 2**53
"""Larger numbers of games count as unlimited."""

MOST_SCHEDULED = 500
"""Maximum number of boards of future rounds."""


class StandingView(Struct, frozen=True, kw_only=True):
    """A row of the standings; equal players share a rank."""

    rank: int
    """Rank from 1."""
    entry: int
    """Number of the entry, from 0 in the order of the seeds."""
    name: str
    """Name of the player."""
    points: float
    """Points: 1 for a win, 1/2 for a draw; a bye counts as winning all games of a pairing."""
    tiebreaks: tuple[float, ...]
    """Values in the order of `tiebreaks` of the tournament."""
    games: int
    """Number of its games with a result."""
    wins: int
    draws: int
    losses: int
    payoff: float | None
    """Points a game: its mean payoff; null without games, and in games in which each win counts one point."""
    withdrawn: str | None
    """Reason of the withdrawal; null for players that still play."""
    annulled: bool
    """Whether its games do not count, because it withdrew after too few games."""


class GameView(Struct, frozen=True, kw_only=True):
    """A game of a pairing."""

    slot: str
    """Round, board and game, as PGN's Round."""
    score: float | None
    """Score of the first player; null without a result."""
    score_second: float | None
    """Score of the second player; if neither player came, the scores do not add up to 1."""
    payoff: float | None
    """Payoff of the first player, in points; null without a result, and in games in which each win counts one point."""
    payoff_second: float | None
    """Payoff of the second player; in games that are not zero-sum the payoffs do not add up to 0."""
    match: int | None
    """Number of the match; null if it was not played."""
    status: str
    """played, unplayed, live or due."""


class BoutView(Struct, frozen=True, kw_only=True):
    """A pairing; `second` is null if the first player has a bye."""

    board: int
    """Number of the pairing in its round, from 1."""
    first: int
    """Entry of the player that moves first in the first game, as in the standings."""
    second: int | None
    """Entry of its opponent."""
    points: tuple[float, float]
    """Points of the first and of the second player, so far."""
    payoff: float | None
    """Sum of the payoffs of the first player so far; null in games in which each win counts one point."""
    payoff_second: float | None
    """Sum of the payoffs of the second player, likewise."""
    games: list[GameView]
    """The games of the pairing, in order."""
    winner: int | None
    """Winner of a knockout pairing (at equal points the better seed); null until decided, and in other formats."""


class TestView(Struct, frozen=True, kw_only=True):
    """Statistics of a sequential test, for the first player."""

    pentanomial: tuple[int, int, int, int, int]
    """Pairs in which the first scored 0, 1/2, 1, 1 1/2 and 2 points."""
    ratio: float
    """Log-likelihood ratio."""
    bounds: tuple[float, float]
    """The ratios at which H0 and H1 are accepted."""
    accepted: str | None
    """H0 or H1 after the decision."""
    elo: float | None
    """Elo difference by the score; null if unbounded."""
    interval: tuple[float | None, float | None]
    """95 % interval of the Elo difference; null for an unbounded end."""
    normalised: tuple[float, float] | None
    """Normalised Elo difference, and half the width of its 95 % interval; null while unknown."""
    superiority: float
    """Likelihood, from 0 to 1, that the first player is stronger."""


class AbsentView(Struct, frozen=True, kw_only=True):
    """A player whose absence delays games."""

    entry: int
    """Number of the entry."""
    name: str
    """Name of the player."""
    since: float
    """Unix time since which its games wait for it."""
    until: float
    """Unix time at which it is withdrawn, unless it connects before."""
    reason: str | None
    """Why it cannot play although it is connected; null if it is not connected."""


class TournamentView(Struct, frozen=True, kw_only=True):
    """A tournament with its standings and rounds."""

    id: int
    name: str
    """Name of the tournament."""
    game: str
    status: str
    """created, running, paused, finished or cancelled."""
    format: AnyFormat
    """The format with its options; its `kind` is the name of the format."""
    description: str
    """The format in words."""
    overview: Literal["crosstable", "bracket"] | None
    """The drawing that shows all pairings of this format."""
    games: int
    """Games in each pairing."""
    time_control: str | None
    rated: bool
    own_unrated: bool
    """Whether the games between two bots of one owner are unrated although the tournament is rated: the bots could tell
    each other what the game hides. Built-in bots do not."""
    own_play: bool
    """Whether each player also plays against itself. These games count once in the standings, from one side, and not in
    the tie-breaks; they are unrated."""
    mirrored_dice: bool
    """Whether the two games of each colour-swapped pair have the same rolls."""
    anonymous: bool
    """Whether players' names are hidden until a game ends. While such a tournament runs, rounds contain only finished
    games."""
    created: float
    ended: float | None
    """Time of its end or cancellation, as Unix time in seconds; null before."""
    over: str | None
    """Reason of its end."""
    waiting: str | None = None
    """Running compilation that its games wait for, for people, with an estimated time."""
    absent: tuple[AbsentView, ...] = ()
    """Players for which games wait now; empty while an anonymous tournament runs."""
    concurrency: int
    """Maximum number of games at once; 0: as many as the bots' capacities allow."""
    expected_end: float | None = None
    """Unix time at which the last planned game ends at the present pace; null while unknown, and in formats that end by
    a test.
    """
    entries: list[str]
    """Names of the players, in the order of the seeds."""
    played: int
    """Number of games with a result."""
    games_planned: int | None
    """Number of games in total: expected in a knockout, at most in formats that end by a test; null if unlimited."""
    due: int
    """Number of games of the current round without a result."""
    rounds_planned: int | None
    """Number of rounds; null if it depends on the results."""
    ranked_by: Literal["score", "payoff"]
    """What orders the standings before the tie-breaks: the points of wins and draws, or points a game."""
    tiebreaks: tuple[str, ...]
    """Names of the tie-breaks, in the order in which they decide."""
    standings: list[StandingView]
    """The standings, the best first."""
    rounds: list[list[BoutView]]
    """The pairings of each round so far."""
    schedule: list[list[tuple[int, int]]]
    """Known pairings of future rounds, up to a limit."""
    test: TestView | None
    """Statistics of a sequential test."""
    misordered: float | None
    """Ladder format: expected share of misordered pairs of players."""


def view(row: TournamentRow, tournament: Tournament, live: Mapping[Slot, int]) -> TournamentView:
    """Return the view of a tournament; ``live``: its live matches by slot."""
    config, course = tournament.config, tournament.course
    names = [entry.name for entry in config.entries]
    due = {each.slot for each in tournament.due()}
    planned = config.format.games_planned(course)
    counted = counts_points(config.game)
    rounds = [[_bout(tournament, bout, live, due) for bout in bouts] for bouts in course.rounds]
    return TournamentView(
        id=row.id,
        name=row.name,
        game=row.game,
        status=row.status,
        format=config.format,
        description=config.format.description,
        overview=config.format.overview,
        games=config.games,
        time_control=config.time_control,
        rated=config.rated,
        own_unrated=config.rated and has_secrets(config.game),
        own_play=config.format.meets_itself,
        mirrored_dice=config.mirrored_dice,
        anonymous=config.anonymous,
        concurrency=config.concurrency,
        games_planned=planned if planned is not None and planned <= MOST_PLANNED else None,
        created=row.created,
        ended=row.ended,
        over=tournament.over,
        entries=names,
        played=sum(len(bout.games) for bout in course.bouts),
        due=len(due),
        rounds_planned=config.format.rounds_planned(len(names)),
        ranked_by="payoff" if config.by_payoff else "score",
        tiebreaks=config.format.tie_breaks,
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
                payoff=line.payoffs.mean if counted else None,
                withdrawn=line.withdrawn,
                annulled=line.annulled,
            )
            for line in standings(course)
        ],
        rounds=rounds,
        schedule=_schedule(tournament),
        test=_test(tournament),
        misordered=config.format.misordered_share(course),
    )


def public(shown: TournamentView) -> TournamentView:
    """Return the public view of a tournament: an anonymous tournament shows only finished games."""
    if not shown.anonymous or shown.over is not None:
        return shown
    past = shown.rounds[: -1 if shown.due else None]
    present = [] if len(past) == len(shown.rounds) else [_played(shown.rounds[-1])]
    return structs.replace(shown, rounds=past + present, schedule=[], absent=())


def _played(bouts: list[BoutView]) -> list[BoutView]:
    """Return the finished games of the current round; byes are hidden until its end, because they reveal pairings."""
    return [
        structs.replace(bout, games=games)
        for bout in bouts
        if (games := [game for game in bout.games if game.status in ("played", "unplayed")])
    ]


def _bout(tournament: Tournament, bout: Bout, live: Mapping[Slot, int], due: set[Slot]) -> BoutView:
    first, second = bout.players
    numbers = {*bout.games, *(slot.game for slot in due if slot[:2] == (bout.round, bout.board))}
    counted = counts_points(tournament.config.game)
    games = [_game(bout, bout.slot(number), live, counted=counted) for number in sorted(numbers)]
    return BoutView(
        board=bout.board,
        first=first,
        second=second,
        points=bout.points,
        payoff=bout.payoffs[0] if counted else None,
        payoff_second=bout.payoffs[1] if counted else None,
        games=games,
        winner=tournament.config.format.winner(tournament.course, bout),
    )


def _game(bout: Bout, slot: Slot, live: Mapping[Slot, int], *, counted: bool) -> GameView:
    game = bout.games.get(slot.game)
    if game is None:
        status = "live" if slot in live else "due"
        return GameView(
            slot=str(slot),
            score=None,
            score_second=None,
            payoff=None,
            payoff_second=None,
            match=live.get(slot),
            status=status,
        )
    counted = counted and game.match is not None
    return GameView(
        slot=str(slot),
        score=game.scores[0],
        score_second=game.scores[1],
        payoff=game.payoffs[0] if counted else None,
        payoff_second=game.payoffs[1] if counted else None,
        match=game.match,
        status="unplayed" if game.match is None else "played",
    )


def _test(tournament: Tournament) -> TestView | None:
    found = tournament.config.format.test(tournament.course)
    if found is None:
        return None
    counts = found.counts
    return TestView(
        pentanomial=counts,
        ratio=found.ratio,
        bounds=found.bounds,
        accepted=found.accepted,
        elo=difference_of(moments(counts)[1]) if any(counts) else None,
        interval=interval(counts),
        normalised=normalised(counts),
        superiority=superiority(counts),
    )


def _schedule(tournament: Tournament) -> list[list[tuple[int, int]]]:
    """Return the known pairings of future rounds, up to a limit of boards."""
    if tournament.over is not None:
        return []
    course = tournament.course
    rounds: list[list[tuple[int, int]]] = []
    boards = 0
    for pairs in course.config.format.schedule(course.players)[len(course.rounds) :]:
        boards += len(pairs)
        if rounds and boards > MOST_SCHEDULED:
            break
        rounds.append(pairs)
    return rounds
