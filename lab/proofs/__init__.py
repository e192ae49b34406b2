# SPDX-License-Identifier: GPL-3.0-or-later
"""Stress tests of the arena's guarantees under failures; `make prove` runs them in full."""
