# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments as they are held: over connected bots, with their events in the store."""
