# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of webhooks."""

from dataclasses import dataclass

from arena.connections.addresses import Networks
from arena.settings import check_values, setting

HIGHEST_PORT = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """The limits of webhooks, and the addresses that they may reach."""

    webhooks_per_account: int = setting(5, "Maximum number of webhooks of an account. 0: the arena has no webhooks.")
    webhook_allow: str = setting(
        "",
        "Addresses and networks that webhooks may reach although they are not public, separated by commas, such as "
        "10.1.2.0/24. Webhooks reach no other private, loopback, link-local, multicast or reserved address.",
    )
    webhook_ports: str = setting("80,443,8080,8443", "Ports that webhooks may reach, separated by commas.")
    webhook_failures: int = setting(
        10,
        "Number of failed attempts in a row after which the arena disables a webhook and tells its owner. The arena "
        "waits longer after each failure: 10 attempts take about 15 hours.",
        least=1,
    )

    def __post_init__(self) -> None:
        check_values(self)
        try:
            self.allowed()
        except ValueError as error:
            raise ValueError(f"webhook_allow: {error}") from None
        self.ports()

    def allowed(self) -> Networks:
        """Return ``webhook_allow``. Raises ValueError when it cannot be read."""
        return Networks.parse(self.webhook_allow)

    def ports(self) -> frozenset[int]:
        """Return ``webhook_ports``. Raises ValueError when they cannot be read."""
        found = set()
        for part in filter(None, (part.strip() for part in self.webhook_ports.split(","))):
            if not part.isascii() or not part.isdigit() or not 1 <= int(part) <= HIGHEST_PORT:
                raise ValueError(f"webhook_ports: {part[:40]!r} is not a port from 1 to {HIGHEST_PORT}")
            found.add(int(part))
        return frozenset(found)
