# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks of games: rules, solvers, and players beside those of others."""
