# SPDX-License-Identifier: GPL-3.0-or-later
"""Webhooks with their deliveries, and the identity of the feed of results."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "feed_identity",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uuid", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feed_identity")),
    )
    op.create_table(
        "webhook",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account_id", KEY, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("bot_id", sa.BigInteger(), nullable=True),
        sa.Column("tournament", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.Double(), nullable=False),
        sa.Column("disabled", sa.Double(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_webhook_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
    op.create_index("ix_webhook_account_id", "webhook", ["account_id"])
    op.create_table(
        "webhook_delivery",
        sa.Column("id", KEY, nullable=False),
        sa.Column("webhook_id", KEY, nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("event_key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.Double(), nullable=True),
        sa.Column("last_try", sa.Double(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_delivery_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_delivery")),
    )
    name = "ix_webhook_delivery_webhook_id_event_key"
    op.create_index(name, "webhook_delivery", ["webhook_id", "event_key"], unique=True)
    op.create_index("ix_webhook_delivery_webhook_id_id", "webhook_delivery", ["webhook_id", "id"])
    op.create_index(
        "ix_webhook_delivery_next_try",
        "webhook_delivery",
        ["next_try"],
        sqlite_where=sa.text("next_try IS NOT NULL"),
        postgresql_where=sa.text("next_try IS NOT NULL"),
    )
