# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded bots: validates them, and plays their matches on the arena, each in a sandbox."""
