# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof that arranged matches give no rating."""

import asyncio
from dataclasses import dataclass

import numpy as np

from arena.rating import elo
from arena.rating.assessment import Assessment, assess
from arena.rating.bradley_terry import Fit, fit
from arena.rating.difference import POINTS, score_of
from arena.rating.results import EFFECT, Floats, Indices, Results, repeat_weights
from arena.settings import Settings
from lab.proofs.attacks.abusive_bots import Farmers
from lab.proofs.ledger import Ledger
from tests.arena.rating.worlds import World

HONEST = 16
GAMES = 1_600
"""Of the honest ladder."""
FARMED, VERSIONS = 3_914, 489
WINNER = HONEST
FEW = 10.0
"""Points by which honest bots may move."""

WORLDS = 300
SHAPES = ((10, 2_000), (10, 20_000), (20, 20_000))
"""Bots and games of honest ladders."""

SECONDS = 60
PATIENCE = 300.0

OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe", "--ladder", "no", "--breeding", "none", "--learning", "no",
    "--rated-challenges-per-day", str(Settings().rated_challenges_per_day),
)  # fmt: skip


async def prove_farming(ledger: Ledger) -> None:
    """Ratings from arranged matches

    Two bots of one owner raise a rating: one resigns to the other again and again, under ever new versions. Beside a
    ladder of 16 honest bots they play 3,914 such matches against 489 versions: as many as they could play in one minute
    before the arena had limits. They play only each other, or ladder matches too, or the loser first plays many ladder
    matches. The figures are those of the winner. "Before" is a simpler rating system for comparison: every version
    starts at 1500, every game counts in full, and every version has a prior of its own. "After" is the rating system of
    the arena. "With the limits of a day": with only the matches that one day allows. By Bradley-Terry the winner then
    moves by no more than its own interval, or is provisional. With all 3,914 matches, which take half a year, it is
    provisional too, or moves by less than a third of its former gain. No honest bot moves by more than a few points
    against the other honest bots; together they move if the farmers change the average, which is 1500.

    Repeated games between the same bots count less. This does not distort honest ladders: ratings stay in their former
    intervals, and the new intervals contain the true ratings at least 93 % of the time. This also holds if pairs of
    bots play better or worse against each other than their strengths predict, for which the former intervals did not
    allow.

    Through real sockets, as fast as the arena allows, the farmers get the matches of a day's limit and no rank.
    """
    await asyncio.to_thread(_farms, ledger)
    await asyncio.to_thread(_honest_ladders, ledger)
    await _through_sockets(ledger)


# ---------------------------------------------------------------- farms


@dataclass(frozen=True)
class _Arena:
    """An honest ladder and two farmers, game by game; the winner is a player, and so is each version of the loser."""

    first: Indices
    second: Indices
    scores: Floats
    players: int

    @property
    def bots(self) -> Indices:
        """Whose version each player is."""
        return np.minimum(np.arange(self.players), WINNER + 1)

    @property
    def before(self) -> Indices:
        """Which version came before each."""
        numbers = np.arange(self.players)
        return np.where(numbers > WINNER + 1, numbers - 1, -1)

    @property
    def results(self) -> Results:
        """The games, counted."""
        return Results.of_games(self.first, self.second, self.scores, self.players)


def _arena(of_winner: int, of_loser: int, farmed: int, versions: int, seed: int = 1) -> _Arena:
    """Return an arena in which farmers of average strength play so many honest games first, and then each other."""
    world = World(HONEST, GAMES, seed=seed)
    chance = np.random.default_rng(seed)
    strengths = np.concatenate([world.strengths, [0.0, 0.0]])
    farmers = np.repeat([WINNER, WINNER + 1], [of_winner, of_loser])
    others = chance.integers(0, HONEST, len(farmers))
    won = chance.random(len(farmers)) < score_of(strengths[farmers] - strengths[others])
    loser = WINNER + 1 + np.arange(farmed) * versions // max(farmed, 1)
    return _Arena(
        np.concatenate([world.first, farmers, np.full(farmed, WINNER)]),
        np.concatenate([world.second, others, loser]),
        np.concatenate([world.scores, won, np.ones(farmed)]),
        WINNER + 1 + max(versions, 1),
    )


def _elo(arena: _Arena, *, inherited: bool) -> float:
    """Return the winner's Elo rating after all games, in their order."""
    standings = [elo.EloRating() for _ in range(arena.players)]
    met: set[int] = set()
    before = arena.before
    for one, other, score in zip(arena.first.tolist(), arena.second.tolist(), arena.scores.tolist(), strict=True):
        for player in (one, other):
            if inherited and player not in met and before[player] >= 0:
                standings[player] = elo.EloRating(standings[before[player]].rating)
            met.add(player)
        after = elo.rate(standings[one], standings[other], score)
        for player, rating in zip((one, other), after, strict=True):
            standings[player] = elo.EloRating(rating, standings[player].games + 1)
    return standings[WINNER].rating


def _assessed(arena: _Arena) -> Assessment:
    results = arena.results
    days = np.zeros(len(results.first), dtype=np.int64)
    return assess(days, results, arena.players, bots=arena.bots, before=arena.before)


def _told(found: Fit, player: int) -> str:
    low, high = found.intervals[player]
    return f"{found.ratings[player]:,.0f} ± {(high - low) / 2:,.0f}"


def _farms(ledger: Ledger) -> None:
    limit = 2 * Settings().rated_challenges_per_day
    for what, of_winner, of_loser, versions in (
        ("farmers that play each other only", 0, 0, VERSIONS),
        ("farmers with 60 matches each on the ladder", 60, 60, VERSIONS),
        ("a loser with 1,000 matches on the ladder, in one version", 200, 1_000, 1),
    ):
        honest, farm = _arena(of_winner, of_loser, 0, 0), _arena(of_winner, of_loser, FARMED, versions)
        day = _arena(of_winner, of_loser, limit, min(versions, Settings().versions_per_day))
        alone, after, limited = _assessed(honest), _assessed(farm), _assessed(day)
        plain = fit(farm.results, farm.players)
        rise = _rises(ledger, what, farm, day)
        assert rise["before"] > rise["with the limits of a day"], rise
        marks = {"before": _told(plain, WINNER)}
        for when, found in (("after", after), ("with the limits of a day", limited)):
            marks[when] = _told(found.fit, WINNER) + (
                ", provisional" if found.bradley_terry.provisional[WINNER] else ""
            )
        ledger.note(f"{what}: Bradley-Terry", _words(marks, _told(alone.fit, WINNER) if of_winner else "none"))
        moved = [_moved(alone.fit, found) for found in (plain, after.fit, limited.fit)]
        whens = ("before", "after", "with the limits of a day")
        words = [f"{when} {most:.0f} and {all_:+.0f}" for when, (most, all_) in zip(whens, moved, strict=True)]
        ledger.note(f"{what}: an honest bot moves at most, and all together by", ", ".join(words))
        assert max(most for most, _ in moved[1:]) <= FEW, (what, moved)
        lead = [
            each.ratings[WINNER] - each.ratings[:HONEST].mean() for each in (alone.fit, plain, after.fit, limited.fit)
        ]
        reach = alone.fit.intervals[WINNER, 1] - alone.fit.ratings[WINNER]
        assert after.bradley_terry.provisional[WINNER] or lead[2] - lead[0] <= (lead[1] - lead[0]) / 3, (what, lead)
        assert limited.bradley_terry.provisional[WINNER] or lead[3] - lead[0] <= reach, (what, lead)


def _rises(ledger: Ledger, what: str, farm: _Arena, day: _Arena) -> dict[str, float]:
    rise = {
        "before": _elo(farm, inherited=False),
        "after": _elo(farm, inherited=True),
        "with the limits of a day": _elo(day, inherited=True),
    }
    ledger.note(f"{what}: Elo", _words({when: f"{rating:,.0f}" for when, rating in rise.items()}, "1,500 or so"))
    return rise


def _words(marks: dict[str, str], honest: str) -> str:
    return ", ".join(f"{when} {mark}" for when, mark in marks.items()) + f" (without farming {honest})"


def _moved(alone: Fit, found: Fit) -> tuple[float, float]:
    """Return the points by which an honest bot moves at most against the honest, and by which all of them move."""
    moved = found.ratings[:HONEST] - alone.ratings[:HONEST]
    return float(np.abs(moved - moved.mean()).max()), float(moved.mean())


# ---------------------------------------------------------------- honest ladders


def _honest_ladders(ledger: Ledger) -> None:
    for players, games in SHAPES:
        for effect in (0.0, EFFECT * POINTS):
            stayed: list[bool] = []
            ordered: list[float] = []
            covered: dict[str, list[bool]] = {"before": [], "after": []}
            for seed in range(ledger.times(WORLDS, least=4)):
                world = World(players, games, seed=seed, effect=effect, nearby=150.0)
                counted = world.results.weighted(repeat_weights(world.results, np.arange(players)))
                before, after = fit(world.results, players), fit(counted, players)
                for when, found, results in (("before", before, world.results), ("after", after, counted)):
                    low, high = found.intervals.T - 1500
                    truth = world.strengths - _average(world.strengths, results)
                    covered[when] += list((low <= truth) & (truth <= high))
                shift = after.ratings - before.ratings
                shift -= shift.mean()
                stayed += list(np.abs(shift) <= before.intervals[:, 1] - before.ratings)
                ordered.append(_agreement(before.ratings, after.ratings))
            what = f"{players} honest bots, {games:,} games, {effect:.0f} points between pairs"
            ledger.note(f"{what}: ratings in the intervals they had before", f"{np.mean(stayed):.1%}")
            ledger.note(f"{what}: pairs in the same order as before", f"{np.mean(ordered):.1%}")
            shares = {when: float(np.mean(found)) for when, found in covered.items()}
            words = ", ".join(f"{when} {share:.1%}" for when, share in shares.items())
            ledger.note(f"{what}: true ratings in their intervals", words)
            slack = 0.0 if ledger.scale >= 1 else 3 * (0.95 * 0.05 / len(stayed)) ** 0.5
            assert np.mean(stayed) >= 0.95 - slack, what
            assert shares["after"] >= 0.93 - slack, (what, shares)


def _average(strengths: Floats, results: Results) -> float:
    """Return the average that ratings by these results are relative to."""
    games = np.zeros(len(strengths))
    np.add.at(games, np.concatenate([results.first, results.second]), np.tile(results.games, 2))
    return float(games @ strengths / games.sum())


def _agreement(one: Floats, other: Floats) -> float:
    """Return the share of pairs that two lists of ratings put in the same order."""
    above = np.triu_indices(len(one), 1)
    return float(((one[:, None] - one) * (other[:, None] - other) > 0)[above].mean())


# ---------------------------------------------------------------- sockets


async def _through_sockets(ledger: Ledger) -> None:
    async with ledger.serving(*OPTIONS, name="farm") as server:
        tokens = await server.register("winner", "loser")
        await server.ready()
        farmers = Farmers(server.play_url, tokens)
        async with asyncio.timeout(PATIENCE):
            await farmers.until_refused("challenge-refused", "too-many-versions")
        farming = asyncio.create_task(farmers.run())
        await asyncio.sleep(ledger.times(SECONDS))
        farming.cancel()
        await asyncio.wait({farming})
        lines = (await server.get("/api/v1/leaderboard?game=tictactoe"))["items"]
    (winner,) = (line for line in lines if line["bot"]["name"] == "winner")
    ledger.note("through sockets: matches that were rated", farmers.matches)
    ledger.note("through sockets: versions of the loser", len(farmers.versions))
    ledger.note_counts("through sockets: refusals", dict(farmers.refused))
    ledger.note("through sockets: the winner's Elo rating", winner["elo"])
    reach = (winner["interval"][1] - winner["interval"][0]) / 2
    ledger.note("through sockets: by Bradley-Terry", f"{winner['rating']:,.0f} ± {reach:,.0f}, provisional, no rank")
    assert farmers.matches == 2 * Settings().rated_challenges_per_day
    assert len(farmers.versions) == Settings().versions_per_day
    assert winner["provisional"]
    assert winner["rank"] is None
