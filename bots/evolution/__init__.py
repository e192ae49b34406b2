# SPDX-License-Identifier: GPL-3.0-or-later
"""Evolution: genomes, operators, population dynamics, islands, and the games that select."""
