# SPDX-License-Identifier: GPL-3.0-or-later
"""The verifier's process: verifies claims of islands on volunteers' machines, beside the arena."""

import asyncio
import logging
import sys
from typing import TextIO

import msgspec

from bots.evolution.door import Door, Refused
from bots.evolution.evochess.examiner import Examiner
from bots.evolution.obeying import obey

log = logging.getLogger(__name__)

REST = 2.0
"""Seconds before an arena is asked again that has no claim to be tried, or does not answer."""


class Orders(msgspec.Struct, frozen=True):
    """What the process is told: the arena, and an operator's token."""

    url: str
    token: str


async def examine(orders: Orders) -> None:
    """Try claims until cancelled."""
    examiner = Examiner(Door(orders.url, orders.token))
    print('{"ready": true}', flush=True)
    while True:
        try:
            judged = await asyncio.to_thread(examiner.step)
        except (Refused, OSError) as error:
            log.info("the arena takes no verifications: %s", error)
            judged = None
        if judged is None:
            await asyncio.sleep(REST)


def main(told: TextIO = sys.stdin) -> int:
    """Read the orders and try claims; returns the exit code."""
    return obey("verifier", Orders, examine, told)
