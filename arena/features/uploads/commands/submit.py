# SPDX-License-Identifier: GPL-3.0-or-later
"""Submit a bot to an arena: upload a file, and wait until the server has validated it.

FILE is a Python file, a zip with main.py or bot.json, a WebAssembly module, an executable, or a data bot: JSON that
configures one of the arena's searches. The server hosts an accepted bot: it needs no connection of yours. Exit status:
0 if the bot was accepted, 1 if it was rejected.
"""

import argparse
import io
import os
import re
import time
import zipfile
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import add_json, print_json, say, say_error
from arena.features.uploads.contents import MANIFEST
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient

GROUP = "play"

DEFAULT_URL = "http://127.0.0.1:8080"
EVERY = 0.3
"""Seconds between two looks at the validation."""
PATIENCE = 300.0
"""Seconds without an answer of the arena after which the command gives up: a server may restart meanwhile."""
TIMEOUT = 120.0
"""Seconds without a byte of an answer after which a request fails."""

ACCEPTED = ("accepted", "quarantined")
"""States after an accepted validation: a bot that fails at once may be in quarantine before this command looks."""
RESULTS = (*ACCEPTED, "rejected", "withdrawn")
_STATES = {
    "waiting": "waiting for the approval of an administrator",
    "queued": "waiting for its validation",
    "validating": "validating",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the file to upload")
    parser.add_argument(
        "--url",
        default=os.environ.get("ARENA_URL", DEFAULT_URL),
        help="address of the arena (ARENA_URL; default: %(default)s)",
    )
    parser.add_argument(
        "--token",
        default=os.environ.get("ARENA_TOKEN"),
        help="a token of your account, with the scope submit, and the scope play if the bot is new (ARENA_TOKEN)",
    )
    parser.add_argument(
        "--name",
        help="name of the bot (default: from a data bot or from bot.json in a zip, otherwise the name of the file)",
    )
    parser.add_argument("--games", default="", help="names of games, separated by commas (default: the bot's own)")
    data = parser.add_argument_group("data bots", "work on a data bot without uploading it")
    which = data.add_mutually_exclusive_group()
    which.add_argument("--template", metavar="GAME", help="print a data bot for a game, to start from")
    which.add_argument("--check", action="store_true", help="check the data bot FILE")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    if arguments.template is not None:
        return _print_template(arguments.template)
    if arguments.file is None:
        raise CommandError("name the file to upload")
    if arguments.check:
        return _check(arguments)
    if not arguments.token:
        raise CommandError("--token or ARENA_TOKEN must be a token of your account; create one on the page Account")
    with input_errors():
        body = arguments.file.read_bytes()
        rest = RestClient(arguments.url, arguments.token, timeout=TIMEOUT)
    try:
        upload = _upload(arguments, rest, body)
        result = Follower(rest, upload).wait()
    except RequestRefused as error:
        if error.status == HTTPStatus.UNAUTHORIZED:
            raise CommandError(
                f"this is not a token of an account on {arguments.url}; tokens of bots are not accepted; create one on "
                "the page Account"
            ) from error
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{arguments.url} does not answer: {error}") from error
    accepted = result["state"] in ACCEPTED
    _tell(arguments, result, accepted)
    return 0 if accepted else 1


def _print_template(game: str) -> int:
    from bots.data.format import game_named, template, write

    with input_errors():
        say(write(template(game_named(game))), end="")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from bots.data.player import maker

    with input_errors():
        bot = maker(arguments.file.read_bytes(), _name_of(arguments.file))()
    found = {"name": bot.name, "version": bot.version, "games": list(bot.games or ()), "description": bot.description}
    if arguments.json:
        print_json(found)
    else:
        say(f"{arguments.file} is a data bot for {', '.join(found['games'])}: version {bot.version}")
    return 0


def _upload(arguments: argparse.Namespace, rest: RestClient, body: bytes) -> Any:
    """Upload the file; return the new version."""
    name = arguments.name or _name_in(body, arguments.file) or _name_of(arguments.file)
    bot = _bot(rest, name)
    say_error(f"uploading {arguments.file.name} ({len(body):,} bytes) as a version of {name}")
    query = {"file": arguments.file.name, "games": arguments.games or None}
    return rest.send(f"/bots/{bot}/versions", body, **query)


def _bot(rest: RestClient, name: str) -> int:
    """Return the number of the account's bot of a name; register it if it is new."""
    for bot in rest.get("/account/bots")["items"]:
        if bot["name"].lower() == name.lower():
            return int(bot["id"])
    try:
        return int(rest.post("/bots", {"name": name})["bot"]["id"])
    except RequestRefused as error:
        raise CommandError(f"the bot {name} cannot be registered: {error}; choose its name with --name") from error


def _name_of(file: Path) -> str:
    """Return a name for a bot from the name of its file."""
    return re.sub(r"[^A-Za-z0-9._+-]", "-", file.stem).lstrip("._+-")[:40] or "bot"


def _name_in(body: bytes, file: Path) -> str:
    """Return the name in a data bot, or in the manifest of a zip; "" where there is none."""
    if file.suffix.lower() == ".json":
        from bots.data.player import name_in

        return name_in(body)
    with suppress(zipfile.BadZipFile, KeyError, ValueError, RuntimeError, msgspec.MsgspecError):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            found = msgspec.json.decode(archive.read(MANIFEST))
        return str(found.get("name", "")) if isinstance(found, dict) else ""
    return ""


class Follower:
    """Waits for the result of a validation; writes the lines of its log to standard error as they come."""

    def __init__(self, rest: RestClient, upload: Any) -> None:
        self._rest = rest
        self._path = f"/bots/{upload['bot']}/versions/{upload['version']}"
        self._shown = 0
        self._state = ""

    def wait(self) -> Any:
        """Return the version when its state is a result."""
        heard = time.monotonic()
        while True:
            try:
                upload = self._rest.get(self._path)
                heard = time.monotonic()
            except OSError:
                if time.monotonic() > heard + PATIENCE:
                    raise
            else:
                self._show(upload)
                if upload["state"] in RESULTS:
                    return upload
            time.sleep(EVERY)  # the API has no event for it

    def _show(self, upload: Any) -> None:
        # of a version that is in the queue again: what its last validation lacked, and when the next one starts
        again = f": {upload['reason']}" if upload["state"] == "queued" and upload["reason"] else ""
        if upload["state"] in _STATES and (state := _STATES[upload["state"]] + again) != self._state:
            say_error(state)
            self._state = state
        lines = upload["log"]
        if len(lines) < self._shown:  # the validation has started again
            self._shown = 0
        for line in lines[self._shown :]:
            say_error(f"  {line}")
        self._shown = len(lines)


def _tell(arguments: argparse.Namespace, upload: Any, accepted: bool) -> None:
    if accepted and upload["state"] != "accepted":
        say_error(f"{upload['name']} has been quarantined since then: {upload['reason']}")
    if arguments.json:
        names = ("bot", "name", "version", "label", "state", "reason", "games", "log")
        print_json({name: upload[name] for name in names} | {"state": "accepted" if accepted else "rejected"})
    elif accepted:
        games = ", ".join(upload["games"])
        say(f"{upload['name']} was accepted: version {upload['label']} plays {games} on the ladder")
    else:
        say(f"{upload['name']} was {upload['state']}{': ' if upload['reason'] else ''}{upload['reason']}")
