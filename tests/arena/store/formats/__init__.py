# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases of every schema so far, which are migrated to the newest."""
