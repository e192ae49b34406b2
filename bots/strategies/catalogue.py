# SPDX-License-Identifier: GPL-3.0-or-later
"""The named strategies of the iterated Prisoner's Dilemma, and memory-one strategies in general."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.strategies import kernels
from engine.games import dilemma

GAME = dilemma.GAMES[0].name
"""The game that the strategies play; its variants too."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy: one of the compiled functions of ``bots.strategies.kernels``, and its parameters."""

    name: str
    description: str
    kernel: int
    """The number of the function."""
    numbers: tuple[float, ...] = ()
    """Its parameters."""
    axelrod: bool = False
    """Whether it is an entry of Axelrod's first tournament."""
    stochastic: bool = False
    """Whether it draws random numbers."""


def memory_one(
    name: str, probabilities: Sequence[float], first: float = 1.0, description: str = "", *, axelrod: bool = False
) -> Strategy:
    """Return a memory-one strategy: its probabilities of cooperation in the first round, and after CC, CD, DC, DD.

    The own action comes first. Raises ValueError for numbers that are no probabilities.
    """
    numbers = (first, *probabilities)
    if len(numbers) != 5:
        raise ValueError(f"a memory-one strategy has 4 probabilities, after CC, CD, DC and DD (got {len(numbers) - 1})")
    if not all(0 <= number <= 1 for number in numbers):
        raise ValueError(f"a probability must be from 0 to 1 (got {', '.join(f'{number:g}' for number in numbers)})")
    told = description or "Cooperates with probabilities {} after CC, CD, DC and DD.".format(
        ", ".join(f"{number:g}" for number in probabilities)
    )
    drawn = any(0 < number < 1 for number in numbers)
    return Strategy(name, told, kernels.MEMORY_ONE, numbers, axelrod, drawn)


def reactive(
    name: str, after_c: float, after_d: float, first: float = 1.0, description: str = "", *, axelrod: bool = False
) -> Strategy:
    """Return a reactive strategy: its probabilities of cooperation after the other's cooperation and defection."""
    return memory_one(name, (after_c, after_d, after_c, after_d), first, description, axelrod=axelrod)


def zero_determinant(name: str, phi: float, slope: float, baseline: float, description: str) -> Strategy:
    """Return a zero-determinant strategy for the payoffs 3, 0, 5, 1 (W. H. Press and F. J. Dyson, PNAS 2012).

    It enforces own payoff - ``baseline`` = (other's payoff - ``baseline``) / ``slope``, in the parameters of A. J.
    Stewart and J. B. Plotkin (PNAS 2012).
    """
    reward, sucker, temptation, punishment = 3.0, 0.0, 5.0, 1.0
    above, below = temptation - baseline, baseline - sucker
    return memory_one(
        name,
        (
            1 - phi * (1 - slope) * (reward - baseline),
            1 - phi * (slope * below + above),
            phi * (below + slope * above),
            phi * (1 - slope) * (baseline - punishment),
        ),
        description=description,
    )


def _first(name: str, description: str, kernel: int, numbers: tuple[float, ...] = (), drawn: bool = False) -> Strategy:
    """Return an entry of Axelrod's first tournament."""
    return Strategy(name, description, kernel, numbers, axelrod=True, stochastic=drawn)


STRATEGIES = (
    reactive("tit-for-tat", 1, 0, 1, "Cooperates, then repeats the opponent's last action.", axelrod=True),
    _first(
        "tideman-chieruzzi",
        "Punishes with growing runs of defections, and forgives an opponent that is far behind.",
        kernels.TIDEMAN_CHIERUZZI,
    ),
    _first("nydegger", "Reads its answer from a table of the last three rounds.", kernels.NYDEGGERS),
    _first("grofman", "Cooperates after equal actions, else with probability 2/7.", kernels.GROFMAN, drawn=True),
    _first("shubik", "Punishes each defection with one more defection than the one before.", kernels.SHUBIK),
    _first(
        "stein-rapoport",
        "Tit for tat that tests every 15 rounds whether the opponent is random, and defects at the end.",
        kernels.STEIN_RAPOPORT,
    ),
    _first("grudger", "Friedman: cooperates until the opponent's first defection.", kernels.GRUDGER, (0,)),
    _first("davis", "Cooperates for ten rounds, then plays like grudger.", kernels.GRUDGER, (10,)),
    _first(
        "graaskamp",
        "Tit for tat with a test defection; then it identifies random players, tit for tat and itself.",
        kernels.GRAASKAMP,
        drawn=True,
    ),
    _first("downing", "Estimates the opponent's answers, and plays the action that pays more.", kernels.DOWNING),
    _first("feld", "Tit for tat that cooperates less and less.", kernels.FELD, drawn=True),
    reactive("joss", 0.9, 0, 1, "Tit for tat that defects after one cooperation in ten.", axelrod=True),
    _first("tullock", "Cooperates 10 % less than the opponent did in ten rounds.", kernels.TULLOCK, drawn=True),
    _first(
        "unnamed", "Cooperates with a probability from 0.3 to 0.7, drawn in each round.", kernels.UNNAMED, drawn=True
    ),
    reactive("coin", 0.5, 0.5, 0.5, "Cooperates with probability 1/2.", axelrod=True),
    reactive("cooperator", 1, 1, 1, "Always cooperates."),
    reactive("defector", 0, 0, 0, "Always defects."),
    memory_one("alternator", (0, 0, 1, 1), 1, "Cooperates and defects in turn."),
    reactive("suspicious-tit-for-tat", 1, 0, 0, "Tit for tat that begins with a defection."),
    Strategy("tit-for-two-tats", "Defects after two defections in a row.", kernels.TIT_FOR_TWO_TATS),
    Strategy("two-tits-for-tat", "Defects twice after each defection.", kernels.TWO_TITS_FOR_TAT),
    reactive("generous-tit-for-tat", 1, 1 / 3, 1, "Tit for tat that forgives one defection in three (GTFT)."),
    memory_one("pavlov", (1, 0, 0, 1), 1, "Win-stay, lose-shift: changes its action after 0 points or 1 point."),
    memory_one("firm-but-fair", (1, 0, 1, 2 / 3), 1, "Tit for tat that leaves mutual defection with probability 2/3."),
    Strategy(
        "soft-majority",
        "Plays the action that the opponent has played more often; cooperates if both are equally frequent.",
        kernels.MAJORITY,
        (0,),
    ),
    Strategy(
        "hard-majority",
        "Plays the action that the opponent has played more often; defects if both are equally frequent.",
        kernels.MAJORITY,
        (1,),
    ),
    Strategy(
        "gradual", "Punishes with as many defections as the opponent has made, then cooperates twice.", kernels.GRADUAL
    ),
    Strategy("prober", "Tests in three rounds whether the opponent can be exploited.", kernels.PROBER),
    zero_determinant(
        "zd-extort-2", 1 / 9, 0.5, 1, "Zero-determinant: its gain over 1 point a round is twice the opponent's gain."
    ),
    zero_determinant(
        "zd-extort-4",
        4 / 17,
        0.25,
        1,
        "Zero-determinant: its gain over 1 point a round is four times the opponent's gain.",
    ),
    zero_determinant(
        "zd-gtft-2", 0.25, 0.5, 3, "Zero-determinant: its loss below 3 points is twice the opponent's loss."
    ),
    zero_determinant("zd-set-2", 0.25, 0, 2, "Zero-determinant: sets the opponent's payoff to 2 points a round."),
)
"""All named strategies: the field of Axelrod's first tournament in the order of its result, then others."""

FIRST_TOURNAMENT = tuple(strategy for strategy in STRATEGIES if strategy.axelrod)
"""The published entries of Axelrod's first tournament (1980), and the random player."""


def named(name: str) -> Strategy:
    """Return a strategy by name. Raises KeyError, with a message that lists the names."""
    for strategy in STRATEGIES:
        if strategy.name == name:
            return strategy
    raise KeyError(f"no strategy is called {name[:40]!r}; there are {', '.join(each.name for each in STRATEGIES)}")
