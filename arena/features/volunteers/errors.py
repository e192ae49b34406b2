# SPDX-License-Identifier: GPL-3.0-or-later
"""What the records of islands on volunteers' machines do not know."""

from arena.store.errors import Unknown


class UnknownDeme(Unknown):
    """No deme has that number, or that name."""


class UnknownExam(Unknown):
    """No exam of a deme has that number."""


class UnknownMigration(Unknown):
    """No genome's way from deme to deme has that number."""
