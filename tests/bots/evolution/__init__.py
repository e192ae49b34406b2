# SPDX-License-Identifier: GPL-3.0-or-later
"""Breeding, by hand where it can be computed by hand."""
