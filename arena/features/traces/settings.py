# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of traces."""

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from arena.settings import check_values, setting

PATH = "/v1/traces"
"""The path of an OTLP receiver of traces, where the address has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSettings:
    """Where traces are sent, and how many."""

    traces: str = setting(
        "",
        "Address of an OpenTelemetry collector to which traces of requests, moves, takeovers of matches and rounds of "
        f"tournaments are sent by OTLP over HTTP: http://HOST:4318, or with a path other than {PATH}. Empty: there are "
        "no traces.",
    )
    traces_share: float = setting(
        1.0, "Share of traces that are recorded and sent; the others cost little. 1: all.", most=1
    )

    def __post_init__(self) -> None:
        check_values(self)
        if self.traces:
            self.endpoint()
        elif self.traces_share != 1:
            raise ValueError("traces_share says how many traces are sent: it needs traces")

    def endpoint(self) -> str:
        """Return the URL to which traces are sent. Raises ValueError for an address that is none."""
        if not _is_address(self.traces):
            raise ValueError(f"traces must be http://HOST:PORT or https://HOST:PORT (got {self.traces[:80]!r})")
        url = urlsplit(self.traces)
        return urlunsplit(url._replace(path=url.path if url.path.strip("/") else PATH))


def _is_address(text: str) -> bool:
    try:
        url = urlsplit(text)
        plain = not (url.query or url.fragment or "@" in url.netloc)
        return plain and url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        return False
