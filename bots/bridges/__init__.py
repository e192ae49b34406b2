# SPDX-License-Identifier: GPL-3.0-or-later
"""Bridges between this arena and the rest of the chess world: outside engines as bots, and bots as engines."""
