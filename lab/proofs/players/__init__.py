# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of rules, searches, evolved and learned players, ratings and tournaments."""
