# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks through a game by its rules alone.

``perft`` counts the leaves of the tree of legal moves, ``playout`` plays random games in compiled code, and
``playthrough`` writes a random game with all facts of each position, for regression tests.
"""
