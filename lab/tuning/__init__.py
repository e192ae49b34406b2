# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning the weights of an evaluation on games: play them, sample quiet positions, fit, write the weights down."""
