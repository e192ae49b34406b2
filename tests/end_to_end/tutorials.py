# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands of a page of the documentation in order, as a reader does.

Blocks of ``sh`` are run, and blocks of ``python`` are written to files. A comment in the line before a block changes
this; instructions are separated by a semicolon and a space:

<!-- test: arena -->            the command runs in the folder of the arena; others run in the reader's own folder
<!-- test: file NAME -->        the block is the content of this file
<!-- test: until TEXT -->       the command keeps running; the page continues when its output contains the text
<!-- test: repeat until TEXT --> the command is run again until its output contains the text
<!-- test: fails -->            the command ends with an error
<!-- test: stop -->             (without a block) the command that keeps running gets Ctrl-C
<!-- test: shown -->            the lines of the block are in the output of the last command, in this order; numbers may
                                differ, and ``…`` is anything
<!-- test: left out, REASON --> the block is not run

``arena_…`` in a command is the newest token that a command before has printed. Variables and folders stay as in one
terminal.
"""

import asyncio
import contextlib
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.server import PATIENCE, Server

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "127.0.0.1:8080"
"""The address of an arena on every page."""

_PART = re.compile(
    r"(?:^<!-- test: (?P<notes>[^\n]+?) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$"
    r"|^<!-- test: (?P<alone>stop) -->$",
    re.MULTILINE | re.DOTALL,
)
_TOKEN = re.compile(r"\barena_[\w-]{20,}")
_NUMBER = re.compile(r"\d[\d.,]*")
_ESCAPED_ELLIPSIS = re.escape("…")


@dataclass(frozen=True)
class Step:
    """A block of a page, or the instruction ``stop``."""

    language: str
    text: str
    notes: dict[str, str]
    """Instructions, with what follows their first word."""


def steps(page: Path) -> list[Step]:
    """Return the blocks of a page and its instructions, in order."""
    found = []
    for part in _PART.finditer(page.read_text("utf-8")):
        notes = part["alone"] or part["notes"] or ""
        pairs = (note.partition(" ") for note in notes.split("; ") if note)
        found.append(Step(part["language"] or "", part["text"] or "", {name: rest for name, _, rest in pairs}))
    return found


def pattern(shown: str) -> re.Pattern[str]:
    """Return the lines of a block as a regular expression for an output with other numbers, and with more lines."""
    lines = []
    for line in shown.strip().splitlines():
        if line == "…":
            continue
        words = [re.escape(word) for word in re.split(r"\s+", _NUMBER.sub("0", line.strip()))]
        lines.append(r"\s+".join(words).replace(_ESCAPED_ELLIPSIS, r".*"))
    return re.compile(r".*?".join(rf"^\s*{line}\s*?$" for line in lines), re.MULTILINE | re.DOTALL)


def fits(shown: str, output: str) -> bool:
    """Tell whether the lines of a block are in an output."""
    return pattern(shown).search(_NUMBER.sub("0", output)) is not None


class Reader:
    """Somebody who does what a page says, in a terminal of their own, beside an arena."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.output = ""
        """Of the last command."""
        self._server = server
        self._own = folder / "reader"
        self._checkout = folder / "checkout"
        self._state = folder / "state"
        self._running: Process | None = None
        self._token = ""
        self._own.mkdir()
        self._checkout.mkdir()
        # `.venv/bin/arena` in a folder that the page may fill
        (self._checkout / ".venv").symlink_to(sys.prefix)
        self._state.write_text(f"cd {self._own}\n", "utf-8")
        self._environment = {
            **os.environ,
            "ARENA_DATA": str(server.folder),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            # what a page installs comes from the arena alone
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PYTHONUNBUFFERED": "1",
        }

    @property
    def own(self) -> Path:
        """The reader's own folder."""
        return self._own

    async def follow(self, page: Path) -> None:
        """Do all steps of a page. Raises AssertionError if a command fails, or prints other lines than the page."""
        try:
            for step in steps(page):
                await self._do(step)
        finally:
            await self._stop()

    async def _do(self, step: Step) -> None:
        match step.language:
            case _ if "left" in step.notes:
                pass
            case "" if "stop" in step.notes:
                await self._stop()
            case "text" if "shown" in step.notes:
                assert fits(step.text, self.output), (
                    f"the page shows\n{step.text}\nand the command printed\n{self.output}"
                )
            case "python":
                (self._folder() / step.notes["file"]).write_text(self._filled(step.text), "utf-8")
            case "sh" if "until" in step.notes:
                await self._stop()
                self._running = await self._started(step, "")
                await self._read(self._running, step.notes["until"].strip('"'))
            case "sh":
                # the folder and the variables for the next command; a command in the arena's folder changes neither
                keep = "" if "arena" in step.notes else f"\n{{ echo cd \\'$PWD\\'; export -p; }} > {self._state}"
                while True:
                    process = await self._started(step, keep)
                    await self._read(process, None)
                    ended = await process.wait() == 0
                    assert ended != ("fails" in step.notes), f"{step.text}\n{self.output}"
                    if step.notes.get("repeat", "").removeprefix("until ").strip('"') in self.output:
                        break
                if tokens := _TOKEN.findall(self.output):
                    self._token = tokens[-1]

    def _folder(self) -> Path:
        """Return the folder of the terminal, which the state names first."""
        return Path(self._state.read_text("utf-8").splitlines()[0].removeprefix("cd ").strip("'"))

    async def _started(self, step: Step, keep: str) -> Process:
        folder = f"cd {self._checkout}\n" if "arena" in step.notes else ""
        script = f"set -euo pipefail\n. {self._state}\n{folder}{self._filled(step.text)}{keep}"
        # in a process group of its own, so that Ctrl-C reaches the command and its children
        return await asyncio.create_subprocess_exec(
            "bash", "-c", script, env=self._environment, stdout=PIPE, stderr=STDOUT, start_new_session=True
        )

    def _filled(self, text: str) -> str:
        """Return a block with the address of this arena and the token."""
        return text.replace(ADDRESS, f"127.0.0.1:{self._server.port}").replace("arena_…", self._token)

    async def _read(self, process: Process, until: str | None) -> None:
        """Read the output up to a text, or to its end."""
        assert process.stdout is not None
        self.output = ""
        async with asyncio.timeout(PATIENCE):
            while until is None or until not in self.output:
                line = await process.stdout.readline()
                assert line or until is None, f"the command ended before it printed {until}:\n{self.output}"
                if not line:
                    return
                self.output += line.decode()

    async def _stop(self) -> None:
        """Press Ctrl-C in the terminal of the command that keeps running."""
        if self._running is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._running.pid, signal.SIGINT)
            await self._running.communicate()
            self._running = None
