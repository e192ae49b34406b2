# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of uploaded versions of bots, of the error output of their matches, and of their files in PostgreSQL."""

from sqlalchemy import BigInteger, Double, Index, LargeBinary, Text
from sqlmodel import Field

from arena.store.tables import Base, key, plain, reference


class Upload(Base, table=True):
    """An uploaded version; ``number`` counts the uploads of its bot from 1, ``games`` is a JSON list.

    ``games`` and ``label`` are those of the owner until the version is accepted, and from then on those that it plays
    under. ``queued``: when it was queued for validation last; ``attempts``: validations that have started since.
    """

    __table_args__ = (
        Index("ix_upload_bot_id_number", "bot_id", "number", unique=True),
        Index("ix_upload_state_id", "state", "id"),
        Index("ix_upload_account_id_created", "account_id", "created"),
    )

    id: int | None = Field(default=None, sa_column=key())
    bot_id: int = Field(sa_column=reference("bot.id"))
    number: int
    account_id: int = Field(sa_type=BigInteger)
    digest: str = Field(sa_type=Text)
    language: str = Field(sa_type=Text)
    file: str = Field(sa_type=Text)
    entry: str = Field(sa_type=Text)
    games: str = Field(sa_type=Text)
    label: str = Field(sa_type=Text)
    size: int = Field(sa_type=BigInteger)
    stored: int = Field(sa_type=BigInteger)
    state: str = Field(sa_type=Text)
    reason: str = Field(sa_type=Text)
    log: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)
    queued: float = Field(sa_type=Double)
    attempts: int


class ErrorOutput(Base, table=True):
    """The end of the error output of an uploaded bot in a match."""

    __tablename__ = "error_output"

    upload_id: int = Field(sa_column=reference("upload.id", primary_key=True))
    match_id: int = Field(sa_type=BigInteger, primary_key=True)
    text: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)


class UploadFile(Base, table=True):
    """A whole file in the database, by its SHA-256 and its language; ``size`` in bytes."""

    __tablename__ = "upload_file"

    digest: str = Field(sa_type=Text, primary_key=True)
    language: str = Field(sa_type=Text, primary_key=True)
    size: int = Field(sa_type=BigInteger)
    created: float = Field(sa_type=Double)


class UploadPart(Base, table=True):
    """A part of a file, numbered from 0. Parts of a file without its row belong to an upload that is not over."""

    __tablename__ = "upload_part"

    digest: str = Field(sa_type=Text, primary_key=True)
    language: str = Field(sa_type=Text, primary_key=True)
    number: int = Field(primary_key=True)
    body: bytes = Field(sa_type=LargeBinary)


uploads = plain(Upload)
error_outputs = plain(ErrorOutput)
upload_files = plain(UploadFile)
upload_parts = plain(UploadPart)

TABLES = (uploads, error_outputs, upload_files, upload_parts)
