# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers and hashes of 64 bits in compiled code: splitmix64 (S. Vigna, after Steele, Lea and Flood, 2014)."""

import numpy as np

from engine.kernel import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The step from a state of the generator to the next one."""


@inlined
def scramble(number: np.uint64) -> np.uint64:
    """Return the output for a state of the generator: different states have different outputs."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@inlined
def fraction(number: np.uint64) -> float:
    """Return an output as a number from 0 to below 1, by its highest 53 bits."""
    return np.float64(number >> np.uint64(11)) * 2.0**-53
