# SPDX-License-Identifier: GPL-3.0-or-later
"""Output of ``arena match``: a progress line, a report, and a JSON answer."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from rich.markup import escape

from arena.cli.support.output import Bars
from arena.protocol.terminal import printable
from arena.rating.payoffs import reduced_interval, variance_fallen
from arena.rating.sprt import Sprt
from bots.contest import Contest
from bots.series import Tally
from engine.games import counts_points, find, stakes_of


class RunningScore:
    """The running score of a match."""

    def __init__(
        self, contest: Contest, sprt: Sprt | None, games: int | None, *, quiet: bool, note: Callable[[], str]
    ) -> None:
        """``note`` returns a text for the end of the progress line."""
        self._contest = contest
        self._sprt = sprt
        self._bars = Bars(quiet=quiet, note=note)
        self._task = self._bars.add_task(escape(f"{contest.names[0]} : {contest.names[1]}"), total=games)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def show(self, tally: Tally) -> None:
        """Bring the bar, or the line, up to date."""
        told = [f"{' : '.join(self._contest.names)}  +{tally.wins} ={tally.draws} -{tally.losses}"]
        if any(tally.pairs):
            told.append(f"Elo {_reach(tally)}")
        if tally.payoffs.count and counts_points(self._contest.game):
            told.append(f"points a game {' : '.join(_short(each) for each in _payoffs(self._contest, tally))}")
        if self._sprt and tally.whole:
            told.append(_ratio(self._sprt, tally))
        self._bars.update(self._task, completed=tally.count, description=escape("  ".join(told)))

    def tell(self, tally: Tally) -> None:
        """Print the running score above the bar."""
        lines = [f"after {tally.count} games:", *_standing(self._contest, tally, self._sprt), ""]
        self._bars.console.print(printable("\n".join(lines)), markup=False, highlight=False, soft_wrap=True)


def report(
    contest: Contest, tally: Tally, sprt: Sprt | None, seconds: float, moves_of: Sequence[str] | None = None
) -> list[str]:
    """Return the final report for people, in lines. ``moves_of``: the bots whose moves count in control variates."""
    games = "1 game" if tally.count == 1 else f"{tally.count:,} games"
    lines = [f"{contest.names[0]} : {contest.names[1]}, {games} of {contest.game} in {seconds:.1f} s"]
    lines += _standing(contest, tally, sprt, moves_of or ())
    lines.append("ended by " + ", ".join(f"{name} ({count})" for name, count in tally.terminations.most_common()))
    for fault in tally.faults:
        bot = contest.names[0 if fault.own else 1]
        lines.append(f"game {fault.number}: {bot} lost by {fault.termination}: {fault.detail}")
    return lines


def _standing(contest: Contest, tally: Tally, sprt: Sprt | None, moves_of: Sequence[str] = ()) -> list[str]:
    least, most = (f"{100 * score:.1f}" for score in tally.score_interval)
    elo, low, high = (_points(value) for value in (tally.elo, *tally.interval))
    score = f"{100 * (tally.score or 0):.1f} %, 95 % interval {least} to {most}"
    superiority = f"likelihood of superiority {100 * tally.superiority:.1f} %"
    lines = [
        f"{tally.wins} won, {tally.draws} drawn, {tally.losses} lost: {score}",
        f"Elo difference {elo}, 95 % interval {low} to {high}, {superiority}",
    ]
    if counts_points(contest.game) or tally.reduced_payoffs.count:
        first, *others = _payoffs(contest, tally)
        lines.append(f"points a game {_long(first)}")
        lines += [f"points a game of {contest.names[1]} {_long(second)}" for second in others]
        lines += [f"{unit} {_long(mean)}" for unit, mean in _in_usual_unit(contest, first)]
    if tally.reduced_payoffs.count:
        lines += _without_luck(contest, tally, moves_of)
    if any(tally.pairs):
        lines.append("pairs that scored 0, ½, 1, 1½ and 2: " + ", ".join(map(str, tally.pairs)))
    if tally.normalised:
        lines.append("normalised Elo {:+.1f} ± {:.1f}".format(*tally.normalised))
    if sprt:
        verdict = sprt.verdict(sprt.ratio(tally.pairs))
        accepted = {"H0": f"elo0={sprt.elo0:g} is accepted", "H1": f"elo1={sprt.elo1:g} is accepted"}
        lines.append(f"SPRT of {sprt}: {_ratio(sprt, tally)}, {accepted[verdict] if verdict else 'not decided'}")
    return lines


def _without_luck(contest: Contest, tally: Tally, moves_of: Sequence[str]) -> list[str]:
    """Return the lines about points a game by control variates."""
    reduced = _reduced(contest, tally)
    whose = f" and the moves of {' and '.join(dict.fromkeys(moves_of))}" if moves_of else ""
    fallen = variance_fallen(tally.pair_payoffs, tally.reduced_pair_payoffs)
    change = ""
    if fallen is not None:
        change = f": variance of pairs {100 * abs(fallen):.1f} % {'higher' if fallen < 0 else 'lower'}"
    lines = [f"without the luck of chance{whose}{change}", f"  points a game {_long(reduced)}"]
    return lines + [f"  {unit} {_long(mean)}" for unit, mean in _in_usual_unit(contest, reduced)]


def _told_without_luck(contest: Contest, tally: Tally, moves_of: Sequence[str]) -> dict[str, Any]:
    """Return the points a game by control variates, for programs."""
    reduced = _reduced(contest, tally)
    told: dict[str, Any] = {
        "moves_of": list(moves_of),
        "variance_fallen": variance_fallen(tally.pair_payoffs, tally.reduced_pair_payoffs),
    }
    for unit, (mean, low, high) in [("payoff", reduced), *_in_usual_unit(contest, reduced)]:
        told |= {unit: mean, f"{unit}_interval": (low, high)}
    return told


def counted(tally: Tally) -> dict[str, Any]:
    """Return the score for programs, with its Elo difference."""
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "elo": tally.elo,
        "interval": tally.interval,
    }


def answer(
    contest: Contest, tally: Tally, sprt: Sprt | None, seconds: float, moves_of: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the final report for programs. ``moves_of``: as for ``report``; None: without control variates."""
    told: dict[str, Any] = {
        "game": contest.game,
        "bots": list(contest.names),
        "games": tally.count,
        **counted(tally),
        "score_interval": tally.score_interval,
        "normalised": tally.normalised,
        "pentanomial": tally.pairs,
        "superiority": tally.superiority,
        "terminations": dict(tally.terminations),
        "faults": [
            {
                "game": fault.number,
                "bot": contest.names[0 if fault.own else 1],
                "why": fault.termination,
                "detail": fault.detail,
            }
            for fault in tally.faults
        ],
        "seed": contest.seed,
        "seconds": round(seconds, 3),
    }
    if counts_points(contest.game) or moves_of is not None:
        payoffs = _payoffs(contest, tally)
        for suffix, (mean, low, high) in zip(("", "_second"), payoffs, strict=False):
            told |= {f"payoff{suffix}": mean, f"payoff{suffix}_interval": (low, high)}
        for unit, (mean, low, high) in _in_usual_unit(contest, payoffs[0]):
            told |= {unit: mean, f"{unit}_interval": (low, high)}
    if moves_of is not None:
        told["control_variates"] = _told_without_luck(contest, tally, moves_of)
    if contest.mirrored_dice:
        told["mirrored_dice"] = True
    if sprt:
        ratio = sprt.ratio(tally.pairs)
        told["sprt"] = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "model": sprt.model,
            "llr": ratio,
            "bounds": sprt.bounds,
            "accepted": sprt.verdict(ratio),
        }
    return told


Mean = tuple[float, float, float]
"""Points a game, and their 95 % interval from the whole pairs."""


def _payoffs(contest: Contest, tally: Tally) -> list[Mean]:
    """Return the points a game of the first bot, and those of the second if the game is not zero-sum."""
    stakes, zero_sum = stakes_of(contest.game), find(contest.game).zero_sum
    sums = [(tally.payoffs, tally.pair_payoffs), (tally.second_payoffs, tally.second_pair_payoffs)]
    return [(games.mean or 0.0, *pairs.interval(stakes)) for games, pairs in sums[: 1 if zero_sum else 2]]


def _reduced(contest: Contest, tally: Tally) -> Mean:
    """Return the points a game of the first bot without luck."""
    plain, pairs = tally.pair_payoffs, tally.reduced_pair_payoffs
    return tally.reduced_payoffs.mean or 0.0, *reduced_interval(plain, pairs, stakes_of(contest.game))


def _in_usual_unit(contest: Contest, payoff: Mean) -> list[tuple[str, Mean]]:
    """Return a payoff in the unit that the game's results usually have; nothing if there is none.

    It is that of whole matches, hence nothing for openings, which may begin at a later hand.
    """
    usual = find(contest.game).unit
    if usual is None or contest.openings:
        return []
    name, factor = usual
    mean, low, high = payoff
    return [(name, (factor * mean, factor * low, factor * high))]


def _long(payoff: Mean) -> str:
    return "{:+.3f}, 95 % interval {:+.3f} to {:+.3f}".format(*payoff)


def _short(payoff: Mean) -> str:
    """Return the points a game with half the length of their interval."""
    mean, low, high = payoff
    return f"{mean:+.2f} ± {(high - low) / 2:.2f}"


def _ratio(sprt: Sprt, tally: Tally) -> str:
    return "LLR {:.2f} ({:.2f}, {:.2f})".format(sprt.ratio(tally.pairs), *sprt.bounds)


def _reach(tally: Tally) -> str:
    """Return the Elo difference with half the length of its interval."""
    low, high = tally.interval
    if tally.elo is None or low is None or high is None:
        return _points(tally.elo)
    return f"{tally.elo:+.0f} ± {(high - low) / 2:.0f}"


def _points(value: float | None) -> str:
    return "unbounded" if value is None else f"{value:+.0f}"
