# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored matches as records: formats, bulk export, verification against the rules, and the check of dice."""
