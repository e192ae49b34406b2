# SPDX-License-Identifier: GPL-3.0-or-later
"""Costs that are not measured, for tests."""

from lab.simulation.costs import Bus, Clients, Costs, Database, Rare
from lab.simulation.loads import NodeWork

COSTS = Costs(
    node=NodeWork(
        standing=0.01, door=250e-6, referee=400e-6, group=300e-6, frame=60e-6, message=25e-6, burst=50e-6, shown=30e-6,
        echoed=60e-6, viewer=20e-6,
    ),
    bus=Bus(0.002, 15e-6, 5e-6),
    database=Database(0.003, 300e-6, 60e-6),
    clients=Clients(300e-6, 20e-6),
    rare=Rare(
        enter=1500e-6, introduce=200e-6, enter_database=500e-6, watch=1000e-6, resume=5000e-6, resume_database=1000e-6,
        listed=3e-6, listed_database=1e-6, transaction=200e-6,
    ),
    plies=70.0,
)  # fmt: skip
