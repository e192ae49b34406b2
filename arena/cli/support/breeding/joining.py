# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena evolve --join``: an island of an arena."""

import argparse
import hashlib
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arena.cli.support.breeding.evolving import scores, settings_of
from arena.cli.support.command_line import CommandError, check_least
from arena.cli.support.output import print_json, say
from arena.data_directory import default_folder
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import Generation
from bots.evolution.evochess.volunteer import PACE, NotJoined, Volunteer
from bots.evolution.history import BEST

TOKEN = "ARENA_ISLAND_TOKEN"


def add_join_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``--join`` alone."""
    joins = parser.add_argument_group("with --join")
    joins.add_argument(
        "--pace", metavar="S", type=float, default=PACE, help="seconds between two reports (default: %(default)s)"
    )


def folder_for(token: str) -> Path:
    """Return the default folder of a token's island: a token is for one island."""
    name = hashlib.sha256(token.encode()).hexdigest()[:12]
    return default_folder() / "islands" / name


def join(arguments: argparse.Namespace, options: dict[str, float]) -> int:
    """Breed, report to the arena and print progress, until the requested generation, or without end."""
    token = arguments.token or os.environ.get(TOKEN, "")
    if not token:
        raise CommandError(f"no token: set --token or {TOKEN} (`arena islands add` prints one)")
    if arguments.islands > 1:
        raise CommandError("--join runs one island; start one command for each, with different tokens")
    check_least(arguments, {"pace": 0})
    folder, url = arguments.out or folder_for(token), arguments.join
    if arguments.seed is None:
        # islands start from different seeds, and each continues from its own state
        arguments.seed = int.from_bytes(hashlib.sha256(token.encode()).digest()[:4])
    deaf = ""

    def tell(generation: Generation) -> None:
        nonlocal deaf
        if not arguments.json:
            say(scores(generation[0].population), flush=True)
            why = volunteer.courier.quarantined
            if why and why != deaf:
                say(f"this island is in quarantine, so its genomes do not spread: {why}", flush=True)
            deaf = why

    try:
        rest, breed = RestClient(url, token), settings_of(arguments, options)
        # invalid settings raise here, before the folder is made
        _ = breed.genes, breed.all_options
        volunteer = Volunteer(
            rest,
            folder,
            breed,
            f"bot-arena {version('bot-arena')}",
            pace=arguments.pace,
            threads=arguments.threads or 1,
        )
        joined = volunteer.joined
        if not arguments.json:
            say(f"{joined.name} evolves {arguments.game} in {folder} and reports to {url}", flush=True)
        arrived = volunteer.run(arguments.generations, tell)
    except RequestRefused as error:
        raise CommandError(f"{url} refuses: {error}") from error
    except (NotJoined, KeyError, ValueError) as error:
        raise CommandError(error.args[0]) from error
    except OSError as error:
        if error.filename is None:
            raise CommandError(f"{url} does not answer: {error}") from error
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    answer: dict[str, Any] = {
        "island": joined.island,
        "name": joined.name,
        "game": arguments.game,
        "reports": volunteer.courier.reports,
        "arrived": arrived,
        "quarantined": volunteer.courier.quarantined,
        "best": str(folder / BEST),
    }
    if arguments.json:
        print_json(answer)
    else:
        say(f"{answer['reports']} reports arrived; the best genome is in {answer['best']}")
        if not arrived:
            say("the arena has not confirmed the last report; run the same command again to send it")
    return 0
