# SPDX-License-Identifier: GPL-3.0-or-later
"""A bred player tells an arena what it is: its genome, and what its program does on the positions that arenas show."""

import logging
from urllib.parse import urlencode

import msgspec

from bots.bot import Bot
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.evochess.bot import SteeredBot
from bots.evolution.evochess.exhibit import exhibit, looks_of
from bots.evolution.evochess.genome import write

log = logging.getLogger(__name__)


def introduce(name: str, bot: Bot, url: str, token: str) -> None:
    """Tell an arena what its bot of a name was bred to be, where it does not know. An arena that will not hear it
    loses a picture, and no game: that is only logged.
    """
    if not isinstance(bot, SteeredBot):
        raise TypeError(f"{name} was not bred")
    rest = RestClient(url, token)
    try:
        # a version is of one game in the records
        game, kept = next(iter(bot.kept.items()))
        if not _known(rest, name, bot.version):
            genome = msgspec.json.decode(write(kept.schema, kept.genome, kept.nodes, kept.lineage))
            shown = exhibit(kept, looks_of(kept, name))
            rest.post("/genome-views", {"version": bot.version, "game": game, "genome": genome, "view": shown})
    except (OSError, RequestRefused) as error:
        log.warning("%s cannot be shown: %s", name, error)


def _known(rest: RestClient, name: str, version: str) -> bool:
    try:
        found = rest.get(f"/genome-views?{urlencode({'bot': name, 'version': version})}")
    except RequestRefused as error:
        if error.status == 404:
            return False
        raise
    return bool(found["view"]["search_traces"])
