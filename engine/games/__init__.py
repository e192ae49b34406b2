# SPDX-License-Identifier: GPL-3.0-or-later
"""The games, one module each: rules, notation, features, and how the board is drawn."""
