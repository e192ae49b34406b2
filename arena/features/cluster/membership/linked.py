# SPDX-License-Identifier: GPL-3.0-or-later
"""What a server knows of the cluster that it may be a node of; cheap to import, as a server alone does."""

from arena.features.cluster.bus.links import Links
from arena.features.cluster.membership.leases import Leases
from arena.store.database.tenure import Tenure


class LinkedTenure(Tenure):
    """Holds a database, perhaps together with other nodes."""

    name = ""
    """Name of this node; empty: the server is alone."""

    def __init__(self) -> None:
        super().__init__()
        self.links: Links | None = None
        """The links to the other nodes, once this server is a node. They tell nothing before ``Links.start``."""
        self.leases: Leases | None = None
        """The lease of this node, once it is one."""
