# SPDX-License-Identifier: GPL-3.0-or-later
"""Refine the numbers of a genome that searches, by games against itself (SPSA)."""
