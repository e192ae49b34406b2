# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments as pure state machines: pairings and results in, standings and the next games out."""
