# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models: predictions of a player's moves, learned from its earlier games (Inductive Adversary Modeling)."""
