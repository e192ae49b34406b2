# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions of the records of islands on volunteers' machines: unknown islands, verifications and gifts."""

from arena.store.errors import Unknown


class UnknownIsland(Unknown):
    """No island has that number or name."""


class UnknownVerification(Unknown):
    """No verification of an island has that number."""


class UnknownMigration(Unknown):
    """No exchanged genome has that number."""
