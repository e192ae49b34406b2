# SPDX-License-Identifier: GPL-3.0-or-later
"""The proofs by name."""

from tests.proofs import (
    breeding,
    chess,
    clock,
    conformance,
    evochess,
    floods,
    fuzz,
    house,
    kills,
    load,
    modelling,
    pairing,
    perft,
    ratings,
    rest,
    soak,
    storage,
    strength,
    swiss,
    tournaments,
)
from tests.proofs.ledger import Proof

PROOFS: dict[str, Proof] = {
    "perft": perft.prove,
    "chess": chess.prove,
    "strength": strength.prove,
    "breeding": breeding.prove,
    "evochess": evochess.prove,
    "ratings": ratings.prove,
    "modelling": modelling.prove,
    "conformance": conformance.prove,
    "fuzz": fuzz.prove,
    "rest": rest.prove,
    "kills": kills.prove,
    "storage": storage.prove,
    "clock": clock.prove,
    "house": house.prove,
    "floods": floods.prove,
    "load": load.prove,
    "soak": soak.prove,
    "swiss": swiss.prove,
    "pairing": pairing.prove,
    "tournaments": tournaments.prove,
}
