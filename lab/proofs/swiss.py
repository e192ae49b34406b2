# SPDX-License-Identifier: GPL-3.0-or-later
"""Swiss rounds by the book

The pairing of a Swiss tournament never breaks an absolute rule of FIDE's Dutch system: nobody is left out or paired
twice, nobody meets the same opponent again or has a second bye, and nobody has one colour three times in a row or three
times more often than the other, save top scorers in the last round. Random results of 64 players over 9 rounds, and of
odd and small numbers, are paired round by round; each round is checked by code that shares nothing with the pairing.
"""

from random import Random

from lab.proofs.ledger import Ledger
from tests.arena.pairing.swiss_events import tournament

TOURNAMENTS = 1_000


async def prove(ledger: Ledger) -> None:
    """Play tournaments of 64, then others."""
    number = ledger.times(TOURNAMENTS)
    for seed in range(number):
        assert not (told := tournament(64, 9, seed)), (seed, told)
    ledger.note("tournaments of 64 players over 9 rounds", number)
    ledger.note("rounds without a breach", 9 * number)
    chance = Random(number)
    rounds = 0
    for seed in range(number):
        players = chance.randint(8, 63)
        rounds += (played := min(9, players // 2))
        assert not (told := tournament(players, played, seed)), (players, seed, told)
    ledger.note("tournaments of 8 to 63 players", number)
    ledger.note("their rounds without a breach", rounds)
