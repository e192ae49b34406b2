# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished matches as files that other programs read."""

FORMATS: tuple[str, ...] = ()
