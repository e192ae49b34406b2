# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of nodes, of the leader, and of the cluster's identity. A single server leaves them empty."""

from sqlalchemy import BigInteger, Double, Integer, Text
from sqlmodel import Column, Field

from arena.store.tables import Base, key, plain


class Node(Base, table=True):
    """A node, whose lease lasts as long as this row. ``counter`` grows with each renewal; ``key``: a random number."""

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text, unique=True)
    url: str = Field(sa_type=Text)
    host: str = Field(sa_type=Text)
    pid: int = Field(sa_type=BigInteger)
    version: str = Field(sa_type=Text)
    key: int = Field(sa_type=BigInteger)
    counter: int = Field(sa_type=BigInteger)
    started: float = Field(sa_type=Double)


class Leadership(Base, table=True):
    """The one row that tells which node leads. ``node_id`` is no reference: the row of a dead leader is deleted."""

    id: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    node_id: int | None = Field(default=None, sa_type=BigInteger)
    term: int = Field(sa_type=BigInteger)


class Cluster(Base, table=True):
    """The one row with the random name of the cluster, with which its subjects on the bus begin."""

    id: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    name: str = Field(sa_type=Text)


nodes = plain(Node)
leaderships = plain(Leadership)
clusters = plain(Cluster)

TABLES = (nodes, leaderships, clusters)
