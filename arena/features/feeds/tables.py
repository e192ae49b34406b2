# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of webhooks and their deliveries, and of the identity of the feed."""

from sqlalchemy import BigInteger, Double, Index, Text, text
from sqlmodel import Field

from arena.store.tables import Base, key, plain, reference


class FeedIdentity(Base, table=True):
    """The one row from which the ids of the feed's entries are made: ``uuid`` is random, and never changes."""

    __tablename__ = "feed_identity"

    id: int = Field(primary_key=True)
    uuid: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


class Webhook(Base, table=True):
    """An address that an account registered for events.

    ``events`` are names separated by spaces; ``bot_id``, ``tournament`` and ``game`` filter them. ``seen``: events up
    to this time are in the table of deliveries. ``failures``: failed attempts in a row; ``next_try``: no attempt begins
    before this time. ``reason``: why the arena disabled it; empty when its owner did.
    """

    id: int | None = Field(default=None, sa_column=key())
    account_id: int = Field(sa_column=reference("account.id", index=True))
    url: str = Field(sa_type=Text)
    secret: str = Field(sa_type=Text)
    events: str = Field(sa_type=Text)
    bot_id: int | None = Field(default=None, sa_type=BigInteger)
    tournament: int | None = Field(default=None, sa_type=BigInteger)
    game: str | None = Field(default=None, sa_type=Text)
    created: float = Field(sa_type=Double)
    seen: float = Field(sa_type=Double)
    failures: int = 0
    next_try: float = Field(default=0.0, sa_type=Double)
    disabled: float | None = Field(default=None, sa_type=Double)
    reason: str = Field(default="", sa_type=Text)


class WebhookDelivery(Base, table=True):
    """An event that a webhook sends or has sent.

    ``event_key`` names the event, so that it is delivered once. ``next_try`` is empty once it is over. ``status``: the
    HTTP status of the last attempt; ``problem``: why the last attempt failed, empty when it succeeded.
    """

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        Index("ix_webhook_delivery_webhook_id_event_key", "webhook_id", "event_key", unique=True),
        Index("ix_webhook_delivery_webhook_id_id", "webhook_id", "id"),
        Index(
            "ix_webhook_delivery_next_try",
            "next_try",
            sqlite_where=text("next_try IS NOT NULL"),
            postgresql_where=text("next_try IS NOT NULL"),
        ),
    )

    id: int | None = Field(default=None, sa_column=key())
    webhook_id: int = Field(sa_column=reference("webhook.id"))
    event: str = Field(sa_type=Text)
    event_key: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)
    attempts: int = 0
    next_try: float | None = Field(default=None, sa_type=Double)
    last_try: float | None = Field(default=None, sa_type=Double)
    status: int | None = None
    problem: str = Field(default="", sa_type=Text)


feed_identities = plain(FeedIdentity)
webhooks = plain(Webhook)
deliveries = plain(WebhookDelivery)

TABLES = (feed_identities, webhooks, deliveries)
