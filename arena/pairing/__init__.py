# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairing algorithms: pure functions, one module for each format."""
