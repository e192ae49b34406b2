# SPDX-License-Identifier: GPL-3.0-or-later
"""Breeding: genomes, operators, dynamics, demes, and the games that decide who lives."""
