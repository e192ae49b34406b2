# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by Alembic: migrates on the connection it is handed, in that connection's transaction."""

from alembic import context

from arena.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite's schema changes are part of a transaction like any other, once sqlite3 is kept from interfering.
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
