# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches for games with hidden information, from the observation of a seat: PIMC and ISMCTS."""

from engine.hidden.driver import ALGORITHMS, ISMCTS, PIMC, HiddenReport, HiddenSearcher, MoveValue, searchable

__all__ = ["ALGORITHMS", "ISMCTS", "PIMC", "HiddenReport", "HiddenSearcher", "MoveValue", "searchable"]
