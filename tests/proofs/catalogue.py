# SPDX-License-Identifier: GPL-3.0-or-later
"""The proofs by name."""

from tests.proofs import clock, conformance, floods, fuzz, house, kills, rest, soak, storage
from tests.proofs.ledger import Proof

PROOFS: dict[str, Proof] = {
    "kills": kills.prove,
    "fuzz": fuzz.prove,
    "floods": floods.prove,
    "storage": storage.prove,
    "clock": clock.prove,
    "house": house.prove,
    "rest": rest.prove,
    "conformance": conformance.prove,
    "soak": soak.prove,
}
