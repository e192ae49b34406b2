# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of opponents: what a player likes to do, learned from earlier games (Inductive Adversary Modeling)."""
