# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches of commands, and what they print."""
