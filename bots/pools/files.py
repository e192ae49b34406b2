# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of bots for other machines: ``FILE.py``, ``genome:FILE``, ``data:FILE`` and ``wasm:FILE`` travel as contents.

A machine keeps them in the user's cache directory, below a hash of their contents. Only the file itself travels, no
module that it imports and no file that it opens.
"""

import shlex
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import platformdirs

from bots.bridges.spec import language_of
from bots.catalogue import DATA, GENOME, PROGRAM, WASM
from engine.native.runtime import write_whole


class BotFile(NamedTuple):
    """A file that a bot's specification names: the path as it is written there, and the contents."""

    path: str
    body: bytes


def files_of(specs: Sequence[str]) -> list[BotFile]:
    """Return the files that specifications of bots name. Raises OSError."""
    paths = dict.fromkeys(path for spec in specs if (path := _split(spec)[1]))
    return [BotFile(path, Path(path).expanduser().read_bytes()) for path in paths]


def local_spec(spec: str, files: Sequence[BotFile]) -> str:
    """Return a specification with this machine's copy of its file, which is written if it is missing. Raises OSError.

    A specification whose file is not among ``files`` stays as it is.
    """
    before, path, after = _split(spec)
    body = next((file.body for file in files if file.path == path), None)
    if body is None:
        return spec
    folder = Path(platformdirs.user_cache_dir("bot-arena"), "bots", sha256(body).hexdigest())
    copy = folder / Path(path).name
    if not copy.is_file() or copy.read_bytes() != body:
        write_whole(copy, body)
    return f"{before}{shlex.quote(str(copy)) if before == WASM else copy}{after}"


def _split(spec: str) -> tuple[str, str, str]:
    """Return what stands before the path of a file, the path, and what stands after it; an empty path: no file."""
    for prefix in (GENOME, DATA):
        if spec.startswith(prefix):
            return prefix, spec.removeprefix(prefix), ""
    if spec.startswith(WASM):
        words = shlex.split(spec.removeprefix(WASM))
        return WASM, words[0], "".join(f" {shlex.quote(word)}" for word in words[1:])
    if spec.startswith(PROGRAM) or language_of(spec) is not None:
        return "", "", spec
    if spec.endswith(".py"):
        return "", spec, ""
    place, colon, name = spec.rpartition(":")
    return ("", place, colon + name) if place.endswith(".py") else ("", "", spec)
