# SPDX-License-Identifier: GPL-3.0-or-later
"""In the JSON of genomes an ``exhibit`` is a ``view``, and ``looks`` are ``search_traces``, as in that of exams."""

from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Go one step on."""
    _change("genome", "version_id", _with_view)
    _change("exam", "id", _with_traces)


def _with_view(body: dict[str, Any]) -> dict[str, Any] | None:
    if body.keys() != {"genome", "exhibit"}:
        return None
    view = body["exhibit"]
    return {"genome": body["genome"], "view": _with_traces(view) or view}


def _with_traces(body: dict[str, Any]) -> dict[str, Any] | None:
    if "looks" not in body:
        return None
    return {("search_traces" if key == "looks" else key): value for key, value in body.items()}


def _change(table: str, key: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    connection = op.get_bind()
    rows = sa.table(table, sa.column(key), sa.column("body"))
    for (number,) in connection.execute(sa.select(rows.c[key])).all():
        body = connection.execute(sa.select(rows.c.body).where(rows.c[key] == number)).scalar_one()
        changed = change(msgspec.json.decode(body))
        if changed is not None:
            text = msgspec.json.encode(changed).decode()
            connection.execute(sa.update(rows).where(rows.c[key] == number).values(body=text))
