# SPDX-License-Identifier: GPL-3.0-or-later
"""The program of a data bot: speaks the protocol in lines of JSON, as ``bots.bridges.program`` expects.

python -m bots.data.runner FILE

It runs our own code on a file that ``bots.data.player`` has checked, so it needs no sandbox; it limits its own memory.
Without a game in its environment (``bots.client.lines.GAME``) it first compiles what all games of the file need.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.protocol.terminal import plain_line
from bots.client.lines import GAME, play_lines
from bots.data.endings import BAD_FILE
from bots.data.format import BadData
from bots.data.player import maker
from bots.process_limits import MIB, limit_process

ADDRESSES = 8192 * MIB
DATA = 1536 * MIB
"""Bytes: enough for compilation and for the largest tables."""


def main(given: Sequence[str] | None = None) -> int:
    """Play the match that the input describes; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bots.data.runner", description=main.__doc__)
    parser.add_argument("file", metavar="FILE", type=Path, help="a configuration of a search, or a genome, as JSON")
    file = parser.parse_args(given).file
    limit_process(addresses=ADDRESSES, data=DATA)
    try:
        make = maker(file.read_bytes(), file.stem)
    except (BadData, OSError) as error:
        sys.stderr.write(plain_line(f"{file.name}: {error}") + "\n")
        return BAD_FILE
    if not os.environ.get(GAME):
        bot = make()
        bot.prepare(bot.games or ())
    asyncio.run(play_lines(make))
    return 0


if __name__ == "__main__":
    sys.exit(main())
