# SPDX-License-Identifier: MIT
"""The protocol's version: one number, raised when an old client could no longer play."""

PROTOCOL = 1

MAX_MESSAGE = 65_536
"""Bytes in one message; a longer one closes the socket with code 1009."""

PLAY_PATH = "/api/v1/play"
WATCH_PATH = "/api/v1/watch"

EXCHANGE = 5
"""The version of the messages between volunteers' islands and the arena; increased when old clients become
incompatible.
"""
