# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an arena in a folder, its commands and bots, and asks its API."""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 1800.0
"""Seconds to wait for what a picture shows; code may be compiled in this time."""

ADDRESS = "127.0.0.1"


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[str]:
    """Run an arena with its data in a folder; yield its URL."""
    command = [sys.executable, "-m", "arena.cli", "serve", "--port=0", "--no-browser", "--json", "--log-level=error"]
    command += [f"--data={folder}", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"].rstrip("/")
        finally:
            process.terminate()


def run(folder: Path, *arguments: str) -> Any:
    """Run a command of the arena with its data in a folder; return its output, which is JSON."""
    command = [sys.executable, "-m", "arena.cli", *arguments, f"--data={folder}", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@contextmanager
def connected(program: Path, variables: Mapping[str, str]) -> Iterator[None]:
    """Run a bot."""
    command = [sys.executable, str(program)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=program.parent, env=dict(variables), stdout=quiet, stderr=quiet) as process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)


def ask(url: str, path: str) -> Any:
    """Return the answer of the API to a request."""
    with urllib.request.urlopen(f"{url}/api/v1{path}", timeout=120) as answer:
        return json.load(answer)


def wait(what: str, done: Callable[[], bool]) -> None:
    """Wait until something is so. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited in vain for {what}")
        time.sleep(0.2)  # bots think; the API tells of no event
