# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of data bots, and their allowed contents. The only module of the feature's server side that uses code of the
bots; it loads that code, which loads the compiler, when it is needed first.
"""

from collections.abc import Iterable

from arena.features.uploads.unpacking import BadFile
from arena.protocol.data_bots import DataBotOptions
from engine.game import Game


def check_data(body: bytes) -> None:
    """Check that a file is a data bot. Raises BadFile."""
    from bots.data.format import BadData
    from bots.data.player import maker

    try:
        maker(body, "bot")
    except BadData as error:
        raise BadFile(str(error)) from None


def data_options(games: Iterable[Game]) -> DataBotOptions:
    """Return the allowed contents of a configuration of a search for some of these games."""
    from bots.data.options import options

    return options(games)
