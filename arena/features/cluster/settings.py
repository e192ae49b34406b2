# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a node."""

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from arena.features.cluster.bus.address import BusAddress
from arena.settings import check_values, setting

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSettings:
    """Whether the server is a node of a cluster, its name, and the bus."""

    bus: str = setting(
        "",
        "NATS server through which the nodes of a cluster reach each other: nats://HOST:PORT on this machine, or "
        "tls://USER:PASSWORD@HOST:PORT or tls://TOKEN@HOST:PORT. Several servers of one NATS cluster are separated by "
        "commas. Needs a PostgreSQL database. Empty: the server is alone.",
    )
    bus_ca: str = setting(
        "",
        "File with the certificates of the authorities that sign the certificate of a `tls://` bus. Empty: those of "
        "the system.",
    )
    node: str = setting(
        "", "Name of this node, which no other node of the cluster has. Empty: the name of the machine."
    )
    node_url: str = setting(
        "",
        "Address at which the other nodes reach the HTTP port of this one: http://HOST:PORT. Empty: the address on "
        "which the server listens.",
    )

    node_referees: bool = setting(
        True,
        "Whether this node referees matches. If not, bots and spectators can still connect to it, and other nodes "
        "referee their matches.",
    )

    def __post_init__(self) -> None:
        check_values(self)
        if self.bus:
            self.address()
            self.name()
        elif given := [name for name in ("bus_ca", "node", "node_url") if getattr(self, name)]:
            raise ValueError(f"{given[0]} is of a node of a cluster: it needs bus")
        if self.node_url and not _is_address(self.node_url):
            raise ValueError(f"node_url must be http://HOST:PORT (got {self.node_url[:80]!r})")

    def address(self) -> BusAddress:
        """Return the address of the bus. Raises ValueError when it cannot be read, or is not safe."""
        address = BusAddress.parse(self.bus, self.bus_ca)
        address.check_safety()
        return address

    def name(self) -> str:
        """Return the name of this node. Raises ValueError."""
        name = self.node or socket.gethostname()
        if not NAME.fullmatch(name):
            raise ValueError(
                f"node must be up to 63 letters, digits, dots, hyphens and underscores, and begin with a letter or a"
                f" digit (got {name[:80]!r})"
            )
        return name


def _is_address(text: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        return False
