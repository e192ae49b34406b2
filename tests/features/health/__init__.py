# SPDX-License-Identifier: GPL-3.0-or-later
"""Quarantine: the rule, its records, bots that fail in a running arena, the pages and the command."""
