# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies of the iterated Prisoner's Dilemma, compiled: as bots, in bulk tournaments and as genomes."""
