# SPDX-License-Identifier: GPL-3.0-or-later
"""The folders of files that belong to an arena's records, as its features declare them."""

import argparse
from pathlib import Path

from arena.cli.features import FEATURES
from arena.cli.support.command_line import input_errors
from arena.cli.support.settings import chosen
from arena.store.database.engines import make_engines


def folders_of(arguments: argparse.Namespace, url: str) -> dict[str, Path]:
    """Return the folders by name, with the settings of the environment. Raises CommandError and StoreError."""
    with input_errors():
        settings = chosen(arguments, FEATURES)
    file = make_engines(url).file
    return {name: folder for feature in FEATURES for name, folder in feature.files(settings, file).items()}
