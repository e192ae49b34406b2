# SPDX-License-Identifier: GPL-3.0-or-later
"""Demes on volunteers' machines: what they report is held against what can be, tried in the arena's own games, and
given to weaker demes.
"""
