# SPDX-License-Identifier: GPL-3.0-or-later
"""The verifier's process: verifies claims of islands on volunteers' machines, beside the arena."""

import asyncio
import logging
import sys
from typing import TextIO

from arena.protocol.orders import HostProgress, OperatorOrders
from bots.child_process import obey, report
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.evochess.examiner import Examiner

log = logging.getLogger(__name__)

REST = 2.0
"""Seconds before an arena is asked again that has no claim to be tried, or does not answer."""


async def examine(orders: OperatorOrders) -> None:
    """Try claims until cancelled."""
    examiner = Examiner(RestClient(orders.url, orders.token))
    report(HostProgress(ready=True))
    while True:
        try:
            judged = await asyncio.to_thread(examiner.step)
        except (RequestRefused, OSError) as error:
            log.info("the arena takes no verifications: %s", error)
            judged = None
        if judged is None:
            await asyncio.sleep(REST)


def main(told: TextIO = sys.stdin) -> int:
    """Read the orders and try claims; returns the exit code."""
    return obey("verifier", OperatorOrders, examine, told)
