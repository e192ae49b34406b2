# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings from results: pure functions, one system each."""
