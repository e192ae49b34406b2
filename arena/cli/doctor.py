# SPDX-License-Identifier: GPL-3.0-or-later
"""Examine this installation: versions, database, disk, memory, ports, kernel cache, sandbox, clock, file limit.

Each check is ok, a warning or an error, with what to do. Exit code 0: no errors; 1: at least one.
"""

import argparse
import asyncio
from pathlib import Path

from msgspec import Struct

from arena.cli.features import FEATURES
from arena.cli.support.command_line import input_errors
from arena.cli.support.examining import Check, machine, software
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.serving.listening import add_port
from arena.cli.support.settings import chosen
from arena.data_directory import add_place, database_url
from arena.store.database.examining import examine
from bots.sandbox import find
from engine.native.runtime import use_cache

GROUP = "maintain"


class Examination(Struct):
    """The result of an examination."""

    checks: list[Check]
    errors: int
    warnings: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_port(parser)
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine, and print the answer."""
    with input_errors():
        checks = _checks(arguments)
    errors = [check for check in checks if check.state == "error"]
    warnings = [check for check in checks if check.state == "warning"]
    if arguments.json:
        print_json(Examination(checks, len(errors), len(warnings)))
    else:
        print_table(("check", "state", "found"), [(check.name, check.state, check.found) for check in checks])
        for check in [*errors, *warnings]:
            say(f"{check.state}: {check.name}: {check.advice}")
    return 1 if errors else 0


def _checks(arguments: argparse.Namespace) -> list[Check]:
    """Return all checks. Raises ValueError for invalid settings."""
    settings = chosen(argparse.Namespace(), FEATURES)
    cache, state = use_cache(), examine(database_url(arguments))
    data = Path(state.place).parent if state.size is not None or Path(state.place).is_absolute() else None
    return [
        software.versions(),
        software.libraries(),
        software.database(state),
        *([] if data is None else [machine.disk("disk of the database", data)]),
        software.kernel_cache(cache),
        machine.disk("disk of the kernel cache", cache),
        software.sandbox(asyncio.run(find())),
        machine.port(arguments.host, arguments.port, state.server),
        machine.open_files(settings),
        machine.processors(),
        machine.memory(),
        machine.clock(),
    ]
