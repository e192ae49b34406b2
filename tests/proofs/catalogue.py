# SPDX-License-Identifier: GPL-3.0-or-later
"""The proofs by name."""

from tests.proofs import clock, conformance, floods, fuzz, house, kills, rest, soak, storage
from tests.proofs.ledger import Proof

PROOFS: dict[str, Proof] = {
    "conformance": conformance.prove,
    "fuzz": fuzz.prove,
    "rest": rest.prove,
    "kills": kills.prove,
    "storage": storage.prove,
    "clock": clock.prove,
    "house": house.prove,
    "floods": floods.prove,
    "soak": soak.prove,
}
