# SPDX-License-Identifier: GPL-3.0-or-later
"""The address of the bus in the settings: servers, credentials, TLS."""

from dataclasses import dataclass, field
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

from arena.connections.addresses import is_loopback

PORT = 4222
_FORM = "write nats://HOST:PORT or tls://USER:PASSWORD@HOST:PORT"


@dataclass(frozen=True, slots=True)
class BusAddress:
    """Where the servers of the bus are, and how a node authenticates."""

    servers: tuple[tuple[str, int], ...]
    """Host and port of each server."""
    tls: bool
    user: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    ca: str = ""
    """File with the certificates that sign the servers' own; empty: those of the system."""

    @classmethod
    def parse(cls, text: str, ca: str = "") -> Self:
        """Read a URL, or several with commas between them. Raises ValueError."""
        parts = [_split(part.strip()) for part in text.split(",")]
        first = parts[0]
        if len({part.scheme for part in parts}) > 1:
            raise ValueError("bus: all servers must have the same scheme, nats:// or tls://")
        if len({part.netloc.rpartition("@")[0] for part in parts}) > 1:
            raise ValueError("bus: all servers must have the same credentials")
        if ca and first.scheme != "tls":
            raise ValueError("bus_ca needs a bus with tls://")
        user, password = unquote(first.username or ""), unquote(first.password or "")
        return cls(
            servers=tuple((part.hostname or "", part.port or PORT) for part in parts),
            tls=first.scheme == "tls",
            user=user if password else "",
            password=password,
            token="" if password else user,
            ca=ca,
        )

    @property
    def urls(self) -> list[str]:
        """The servers' URLs, without credentials."""
        return [f"{'tls' if self.tls else 'nats'}://{_host(host)}:{port}" for host, port in self.servers]

    @property
    def place(self) -> str:
        """The servers, for people."""
        return ", ".join(f"{_host(host)}:{port}" for host, port in self.servers)

    @property
    def local(self) -> bool:
        """Whether all servers are on this machine, by their addresses."""
        return all(host == "localhost" or is_loopback(host) for host, _ in self.servers)

    def check_safety(self) -> None:
        """Raise ValueError for a bus that other machines reach without TLS or credentials: who reaches the bus can play
        for any bot.
        """
        if self.local:
            return
        missing = [*([] if self.tls else ["TLS (tls://)"]), *([] if self.user or self.token else ["credentials"])]
        if missing:
            raise ValueError(
                f"bus: {self.place} is not a loopback address, and the URL has no {' and no '.join(missing)}: write"
                " tls://USER:PASSWORD@HOST:PORT or tls://TOKEN@HOST:PORT"
            )


def _split(text: str) -> SplitResult:
    try:
        part = urlsplit(text)
        part.port  # noqa: B018  # raises ValueError if it is no port
    except ValueError:
        raise ValueError(f"bus: the URL cannot be read; {_FORM}") from None
    if part.scheme not in ("nats", "tls") or not part.hostname or part.path.strip("/") or part.query:
        raise ValueError(f"bus: the URL cannot be read; {_FORM}")
    return part


def _host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
