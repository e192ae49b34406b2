# SPDX-License-Identifier: GPL-3.0-or-later
"""Round robins of ``arena match``: play them, and print standings and crosstable."""

from contextlib import aclosing
from typing import Any

from msgspec import to_builtins
from rich.markup import escape

from arena.cli.support.matches.game_files import Written
from arena.cli.support.matches.shares import show_shares
from arena.cli.support.output import Bars, print_json, print_table, say, say_error
from arena.cli.support.pools import note_of
from arena.tournaments.shares import SharesView
from bots.local import prepare
from bots.pools.matches import played_in
from bots.pools.pool import Pool
from bots.round_robin import RoundRobin
from bots.series import Tally, series
from engine.games import counts_points

FORMAT = "round-robin"


async def play_round_robin(table: RoundRobin, games: int, pool: Pool | None, written: Written, *, quiet: bool) -> None:
    """Play ``games`` games of each pairing, in a pool or in this process.

    Raises NoEntrant, PoolFailed and ValueError.
    """
    pairings = list(table.pairings())
    bars = Bars(quiet=quiet, note=note_of(pool))
    task = bars.add_task("games", total=games * len(pairings))
    bars.start()
    try:
        for pair, contest in pairings:
            entrants = await contest.entrants()
            if pool is None or not pool.compiles:
                await prepare(contest.setting().game, entrants, tell_compiling)
            tally = table.tallies[pair] = Tally()
            if pool is None:
                matches = series(contest.setting(), *entrants, range(games))
            else:
                matches = played_in(pool, contest, range(games))
            bars.update(task, description=escape(" : ".join(contest.names)))
            async with aclosing(matches):  # type: ignore[type-var]  # an asynchronous generator
                async for bare in matches:
                    played = contest.noted(bare)
                    tally.add(played)
                    written.add(played)
                    bars.update(task, advance=1)
    finally:
        bars.stop()


def tell_compiling(seconds: float) -> None:
    """Print how long compilation has taken so far."""
    say_error(f"Compiling the game and the bots, {seconds:.0f} s so far; the next series needs no compilation.")


def show_round_robin(table: RoundRobin, seconds: float, shares: SharesView | None, *, as_json: bool) -> None:
    """Print standings and crosstable, and the shares over time if there are any."""
    if as_json:
        told = {} if shares is None else {"dynamics": to_builtins(shares)}
        print_json(answer(table, seconds) | told)
        return
    by_points, standings = counts_points(table.contest.game), table.standings()
    unit = "points a game" if by_points else "score"
    say(f"{len(table.bots)} bots, {_games(table):,} games of {table.contest.game} in {seconds:.1f} s")
    print_table(
        ["rank", "bot", "games", "won", "drawn", "lost", unit, "95 % interval"],
        [
            (
                rank,
                table.bots[row.place],
                row.games,
                row.wins,
                row.draws,
                row.losses,
                f"{row.points if by_points else row.score:.3f}",
                "{:.3f} to {:.3f}".format(*(row.points_interval if by_points else row.score_interval)),
            )
            for rank, row in enumerate(standings, 1)
        ],
    )
    say(f"\nMean {'payoff' if by_points else 'score'} of the row's bot against the column's, in the same order:")
    payoffs = table.payoffs()
    print_table(
        ["rank", "bot", *(str(rank) for rank in range(1, len(standings) + 1))],
        [
            (rank, table.bots[row.place], *(_cell(payoffs[row.place][other.place]) for other in standings))
            for rank, row in enumerate(standings, 1)
        ],
    )
    if shares is not None:
        show_shares(shares)


def answer(table: RoundRobin, seconds: float) -> dict[str, Any]:
    """Return standings and crosstable for programs; with ``names`` and ``payoffs``, which are a matrix.

    A cell without games is null in the crosstable. In the matrix it is what the zero sum of both seats makes it.
    """
    by_points = counts_points(table.contest.game)
    payoffs = table.payoffs()
    even = 0.0 if by_points else 0.5
    return {
        "game": table.contest.game,
        "format": FORMAT,
        "entrants": list(table.bots),
        "games": _games(table),
        "standings": [
            {
                "rank": rank,
                "bot": table.bots[row.place],
                "games": row.games,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "score": row.score,
                "score_interval": row.score_interval,
                "payoff": row.points,
                "payoff_interval": row.points_interval,
            }
            for rank, row in enumerate(table.standings(), 1)
        ],
        "crosstable": payoffs,
        "names": list(table.bots),
        "payoffs": [[even if cell is None else cell for cell in row] for row in payoffs],
        "faults": [
            {"pairing": [table.bots[one], table.bots[other]], "game": fault.number, "why": fault.termination}
            for (one, other), tally in table.tallies.items()
            for fault in tally.faults
        ],
        "seed": table.contest.seed,
        "seconds": round(seconds, 3),
    }


def _games(table: RoundRobin) -> int:
    return sum(tally.count for tally in table.tallies.values())


def _cell(payoff: float | None) -> str:
    return "" if payoff is None else f"{payoff:.3g}"
