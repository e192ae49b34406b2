# SPDX-License-Identifier: GPL-3.0-or-later
"""Hints of a game to the searches: optional kernels that make a search faster or stronger.

``engine.game`` has the kernels of rules and evaluation, which all searches use. Each module here has those of one
family of searches: ``alphabeta`` (move ordering, quiescence search, pruning), ``playouts`` (Monte Carlo tree search)
and ``solver``. All have defaults, except that only games with ``plies_left`` and ``value_bounds`` have a solver.
"""
