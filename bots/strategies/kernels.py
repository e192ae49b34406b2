# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies of the iterated Prisoner's Dilemma as compiled functions. Each returns C or D for a view of the match.

Those of Axelrod's first tournament follow R. Axelrod, Effective Choice in the Prisoner's Dilemma, Journal of Conflict
Resolution 24 (1980), in the reading of the Axelrod library 4.13.1, against which tests compare them move by move.
"""

from math import sqrt

import numpy as np

from bots.strategies.view import UNKNOWN, C, D, View, cooperates, last, uniform
from engine.kernel import inlined, part

CHI_SQUARE = 3.841458820694124
"""Critical value of the chi-squared test with one degree of freedom at 5 %."""

NYDEGGER = sum(1 << a for a in (1, 6, 7, 17, 22, 23, 26, 29, 30, 31, 33, 38, 39, 45, 49, 54, 55, 58, 61))
"""Nydegger's defections: bit a stands for three rounds, weighted 16, 4 and 1, the newest first."""


@inlined
def _looks_random(view: View) -> bool:
    """Return whether equally probable actions of the other are not rejected at 5 % (chi-squared test)."""
    balance = view.turn - 2 * view.other_defections
    return balance * balance <= CHI_SQUARE * view.turn


@part
def memory_one(view: View) -> int:
    """Cooperate with a probability that depends on the last round: numbers for the first round, CC, CD, DC and DD."""
    if view.turn == 0:
        return cooperates(view, view.numbers[0])
    return cooperates(view, view.numbers[1 + 2 * view.own[view.turn - 1] + view.other[view.turn - 1]])


@part
def tit_for_two_tats(view: View) -> int:
    """Defect after two defections in a row."""
    return D if view.turn > 1 and view.other[view.turn - 1] and view.other[view.turn - 2] else C


@part
def two_tits_for_tat(view: View) -> int:
    """Defect twice after each defection."""
    return D if last(view) or (view.turn > 1 and view.other[view.turn - 2]) else C


@part
def grudger(view: View) -> int:
    """Friedman: cooperate until the other defects, then defect for ever. Number: first rounds of cooperation."""
    return D if view.turn >= view.numbers[0] and view.other_defections else C


@part
def majority(view: View) -> int:
    """Do what the other did more often. Number: what to do if both were equally often."""
    cooperations = view.turn - view.other_defections
    if cooperations == view.other_defections:
        return D if view.numbers[0] else C
    return C if cooperations > view.other_defections else D


@part
def downing(view: View) -> int:
    """Downing (revised): estimate how the other answers cooperation and defection, and play the better one."""
    turn, memory = view.turn, view.memory
    if turn == 0:
        return D
    if view.other[turn - 1] == C:
        # memory: cooperations of the other after own cooperation, and after own defection
        if turn == 1 or view.own[turn - 2] == C:
            memory[0] += 1
        else:
            memory[1] += 1
    if turn == 1:
        return D
    after_c = memory[0] / (turn - view.own_defections + 1)
    after_d = memory[1] / max(view.own_defections, 2)
    payoffs = view.payoffs
    cooperating = after_c * payoffs[0] + (1 - after_c) * payoffs[1]
    defecting = after_d * payoffs[2] + (1 - after_d) * payoffs[3]
    if cooperating == defecting:
        return 1 - view.own[turn - 1]
    return C if cooperating > defecting else D


@part
def feld(view: View) -> int:
    """Feld: tit for tat that answers cooperation less and less, from probability 1 to 1/2 after 200 rounds."""
    if last(view):
        return D
    return C if view.turn == 0 else cooperates(view, max(1 - 0.5 / 200 * view.turn, 0.5))


@part
def graaskamp(view: View) -> int:
    """Graaskamp: tit for tat with a defection in round 51; then identify random players, tit for tat and a twin."""
    turn, memory = view.turn, view.memory
    if turn == 0:
        return C
    own, other = view.own, view.other
    # memory: the other is random; it is not tit for tat; it is not a twin; the round of the next defection
    if turn > 1 and other[turn - 1] != own[turn - 2]:
        memory[1] = 1
    if other[turn - 1] != own[turn - 1]:
        memory[2] = 1
    if turn < 56:
        return D if other[turn - 1] or turn == 50 else C
    if _looks_random(view):
        memory[0] = 1
    if memory[0]:
        return D
    if memory[1] == 0 or memory[2] == 0:
        return np.int64(other[turn - 1])  # type: ignore[return-value]  # an int of 64 bits
    if memory[3] == 0:
        memory[3] = turn + 5 + np.floor(11 * uniform(view, 0))
    if memory[3] == turn:
        memory[3] = turn + 5 + np.floor(11 * uniform(view, 1))
        return D
    return C


@part
def grofman(view: View) -> int:
    """Grofman: cooperate after equal actions, else with probability 2/7."""
    if view.turn == 0 or view.own[view.turn - 1] == view.other[view.turn - 1]:
        return C
    return cooperates(view, 2 / 7)


@part
def nydegger(view: View) -> int:
    """Nydegger: tit for tat for three rounds, then a table of the last three rounds."""
    turn, own, other = view.turn, view.own, view.other
    if turn < 3:
        return D if last(view) or (turn == 2 and other[0]) else C
    a = 0
    for back in range(3, 0, -1):
        a = a // 4 + 16 * (own[turn - back] + 2 * other[turn - back])
    return NYDEGGER >> a & 1


@part
def shubik(view: View) -> int:
    """Shubik: answer each defection with one more defection in a row than the one before."""
    turn, memory = view.turn, view.memory
    if turn == 0:
        return C
    # memory: length of the punishment, and defections that are left of it
    if memory[1] > 0:
        memory[1] -= 1
        return D
    if view.other[turn - 1] and not view.own[turn - 1]:
        memory[1] = memory[0]
        memory[0] += 1
        return D
    return C


@part
def stein_rapoport(view: View) -> int:
    """Stein and Rapoport: tit for tat after four cooperations; a test for random players every 15 rounds; two last
    defections.
    """
    turn, memory = view.turn, view.memory
    if turn >= 14 and (turn + 1) % 15 == 0:
        memory[0] = 1 if _looks_random(view) else 0
    if view.rounds != UNKNOWN and turn >= view.rounds - 2:
        return D
    if turn < 4:
        return C
    return D if memory[0] else last(view)


@part
def tideman_chieruzzi(view: View) -> int:
    """Tideman and Chieruzzi: Shubik's punishments, a fresh start for an opponent that is far behind, and two last
    defections.
    """
    turn, memory = view.turn, view.memory
    if turn == 0:
        return C
    other = view.other[turn - 1]
    # memory: rounds of the punishment, its remaining rounds, defections since the fresh start, the round of the fresh
    # start, whether it was the last round
    memory[2] += other
    if view.rounds != UNKNOWN and turn >= view.rounds - 2:
        return D
    if memory[4]:
        memory[4] = 0
        return C
    if memory[3] == 0 or turn + 1 - memory[3] >= 20:
        # the difference of both scores follows from the defections
        ahead = (view.own_defections - view.other_defections) * (view.payoffs[2] - view.payoffs[1])
        late = view.rounds != UNKNOWN and view.rounds - (turn + 1) < 10
        if ahead >= 10 and not late and not other and abs(memory[2] - turn / 2) >= 3 * sqrt(turn) / 2:
            memory[0], memory[1], memory[2], memory[3], memory[4] = 0, 0, 0, turn + 1, 1
            return C
    if memory[1] > 0:
        memory[1] -= 1
        return D
    if other:
        memory[1] = memory[0]
        memory[0] += 1
        return D
    return C


@part
def tullock(view: View) -> int:
    """Tullock: cooperate for eleven rounds, then 10 % less than the other did in the last ten rounds."""
    if view.turn < 11:
        return C
    cooperations = 10
    for back in range(1, 11):
        cooperations -= view.other[view.turn - back]
    return cooperates(view, cooperations / 10 - 0.1)


@part
def unnamed(view: View) -> int:
    """The nameless entry: cooperate with a probability that is drawn from 0.3 to 0.7 in each round."""
    return C if uniform(view, 0) < 0.3 + 0.4 * uniform(view, 1) else D


@part
def gradual(view: View) -> int:
    """Gradual (B. Beaufils, J.-P. Delahaye and P. Mathieu): punish with as many defections as the other has made, then
    cooperate twice.
    """
    memory = view.memory
    # memory: remaining rounds of the punishment, and of cooperation after it
    if view.turn == 0:
        return C
    if memory[0] > 0:
        memory[0] -= 1
        return D
    if memory[1] > 0:
        memory[1] -= 1
        return C
    if last(view):
        memory[0], memory[1] = view.other_defections - 1, 2
        return D
    return C


@part
def prober(view: View) -> int:
    """Prober: play D, C, C; defect for ever if the other cooperated in rounds two and three, else tit for tat."""
    if view.turn < 3:
        return D if view.turn == 0 else C
    return D if not (view.other[1] or view.other[2]) else last(view)


(
    MEMORY_ONE,
    TIT_FOR_TWO_TATS,
    TWO_TITS_FOR_TAT,
    GRUDGER,
    MAJORITY,
    DOWNING,
    FELD,
    GRAASKAMP,
    GROFMAN,
    NYDEGGERS,
    SHUBIK,
    STEIN_RAPOPORT,
    TIDEMAN_CHIERUZZI,
    TULLOCK,
    UNNAMED,
    GRADUAL,
    PROBER,
) = range(17)
"""Numbers of the kernels for ``choose``."""


@part
def choose(kernel: int, view: View) -> int:  # a table of functions would not load from numba's cache
    """Return what a strategy plays, C or D."""
    if kernel == MEMORY_ONE:
        return memory_one(view)
    if kernel == TIT_FOR_TWO_TATS:
        return tit_for_two_tats(view)
    if kernel == TWO_TITS_FOR_TAT:
        return two_tits_for_tat(view)
    if kernel == GRUDGER:
        return grudger(view)
    if kernel == MAJORITY:
        return majority(view)
    if kernel == DOWNING:
        return downing(view)
    if kernel == FELD:
        return feld(view)
    if kernel == GRAASKAMP:
        return graaskamp(view)
    if kernel == GROFMAN:
        return grofman(view)
    if kernel == NYDEGGERS:
        return nydegger(view)
    if kernel == SHUBIK:
        return shubik(view)
    if kernel == STEIN_RAPOPORT:
        return stein_rapoport(view)
    if kernel == TIDEMAN_CHIERUZZI:
        return tideman_chieruzzi(view)
    if kernel == TULLOCK:
        return tullock(view)
    if kernel == UNNAMED:
        return unnamed(view)
    if kernel == GRADUAL:
        return gradual(view)
    return prober(view)
