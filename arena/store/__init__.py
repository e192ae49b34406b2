# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables, migrations and the repository: the only place that knows the database."""

from arena.store.store import Store

__all__ = ["Store"]
