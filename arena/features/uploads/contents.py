# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the description of an uploaded file: its language, its entry point, and the manifest of a zip."""

import codecs
import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from arena.features.uploads.data_bots import check_data
from arena.features.uploads.unpacking import PROGRAM_MODE, BadFile, Caps, new_file, unpack
from arena.protocol.terminal import printable_line

Language = Literal["python", "executable", "wasm", "data"]
"""How an uploaded bot runs."""
NATIVE: tuple[Language, ...] = ("python", "executable")
"""Languages whose programs run on the processor itself, so that only a sandbox may run them."""

MANIFEST = "bot.json"
"""The manifest of a zip, beside its files."""
MAIN = "main.py"
"""The entry point of a zip without a manifest."""
LONGEST_MANIFEST = 16_384

_SINGLE: dict[Language, str] = {"python": "bot.py", "executable": "bot", "wasm": "bot.wasm", "data": "data.json"}
"""The name under which a file is kept that was not in a zip."""
_CLASS = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):[^\W\d]\w*")
"""MODULE:CLASS."""
_ZIP, _EMPTY_ZIP, _WASM, _ELF, _SCRIPT = b"PK\x03\x04", b"PK\x05\x06", b"\0asm", b"\x7fELF", b"#!"


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest of a zip: what the file itself does not say."""

    entry: Annotated[str, Meta(min_length=1, max_length=200)]
    """Path of the program in the zip, or MODULE:CLASS for a class of a Python module, which inherits from bots.Bot."""
    language: Language | None = None
    """Default: by the ending of the entry point (.py, .wasm, .json; others are executables)."""
    name: Annotated[str, Meta(max_length=40)] = ""
    """The bot's name, for `arena submit` without --name."""
    games: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=64)] = []
    """Default: the games that the program's hello names."""
    version: Annotated[str, Meta(max_length=64)] = ""
    """Default: the version that the program's hello names."""


class Contents(Struct, frozen=True):
    """The description of an uploaded file."""

    language: Language
    entry: str
    """Path of the program below the folder of the files, or MODULE:CLASS."""
    games: list[str]
    """The games that the manifest names; empty: those of the program's hello."""
    version: str
    """The version that the manifest names; empty: that of the program's hello."""
    unpacked: int
    """Bytes of the files."""


def extract(body: bytes, name: str, folder: Path, caps: Caps) -> Contents:
    """Write the files of an upload into an empty folder; return their description. Raises BadFile, and OSError."""
    if not body:
        raise BadFile("the file is empty")
    if body.startswith((_ZIP, _EMPTY_ZIP)) or name.lower().endswith(".zip"):
        return _from_zip(body, folder, caps)
    language = _language_of(body, name)
    if language == "data":
        check_data(body)
    entry = _SINGLE[language]
    with new_file(folder / entry) as file:
        file.write(body)
    _make_runnable(folder / entry, language)
    return Contents(language, entry, [], "", len(body))


def _language_of(body: bytes, name: str) -> Language:
    """Return the language of a single file. Raises BadFile."""
    if name.lower().endswith(".py"):
        try:
            codecs.decode(body, "utf-8")
        except UnicodeDecodeError:
            raise BadFile("the Python file is not UTF-8 text") from None
        return "python"
    if body.startswith(_WASM):
        return "wasm"
    if body.startswith((_ELF, _SCRIPT)):
        return "executable"
    if name.lower().endswith(".json") or body.lstrip().startswith(b"{"):
        return "data"
    raise BadFile(
        "upload a Python file (.py), a zip, a WebAssembly module, an executable (ELF, or a script with #!), or a data "
        "bot (.json)"
    )


def _from_zip(body: bytes, folder: Path, caps: Caps) -> Contents:
    unpacked = unpack(body, folder, caps)
    manifest = _manifest(folder)
    if _names_class(manifest, folder):
        return Contents("python", manifest.entry, list(manifest.games), manifest.version, unpacked)
    entry = PurePosixPath(manifest.entry)
    if entry.is_absolute() or ".." in entry.parts or not (folder / entry).is_file():
        raise BadFile(f"the manifest's entry point {manifest.entry[:80]!a} is not a file of the zip")
    language = manifest.language or _by_ending(entry)
    beginning = _beginning(folder / entry)
    if language == "wasm" and beginning != _WASM:
        raise BadFile(f"{entry} is not a WebAssembly module")
    if language == "executable" and not beginning.startswith((_ELF, _SCRIPT)):
        raise BadFile(f"{entry} is not an executable (ELF, or a script with #!)")
    if language == "data":
        check_data((folder / entry).read_bytes())
    _make_runnable(folder / entry, language)
    return Contents(language, str(entry), list(manifest.games), manifest.version, unpacked)


def _names_class(manifest: Manifest, folder: Path) -> bool:
    """Return whether the entry point is MODULE:CLASS. Raises BadFile if the module is not in the zip."""
    named = _CLASS.fullmatch(manifest.entry)
    if named is None or (folder / manifest.entry).is_file() or manifest.language not in (None, "python"):
        return False
    place = folder.joinpath(*named[1].split("."))
    if not any(file.is_file() for file in (place.with_name(f"{place.name}.py"), place / "__init__.py")):
        raise BadFile(f"the manifest's entry point {manifest.entry[:80]!a} names a module that is not in the zip")
    return True


def _manifest(folder: Path) -> Manifest:
    """Return the manifest of an unpacked zip. Raises BadFile."""
    file = folder / MANIFEST
    if not file.is_file():
        if (folder / MAIN).is_file():
            return Manifest(entry=MAIN)
        raise BadFile(f"the zip has neither {MANIFEST} nor {MAIN} at its top")
    if file.stat().st_size > LONGEST_MANIFEST:
        raise BadFile(f"{MANIFEST} has more than {LONGEST_MANIFEST:,} bytes")
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile(f"{MANIFEST} cannot be read: {error}") from None
    for text in (manifest.name, manifest.version, *manifest.games):
        if printable_line(text) != text:
            raise BadFile(f"{MANIFEST} has control characters in {text!a}")
    return manifest


def _by_ending(entry: PurePosixPath) -> Language:
    match entry.suffix.lower():
        case ".py":
            return "python"
        case ".wasm":
            return "wasm"
        case ".json":
            return "data"
    return "executable"


def _beginning(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(4)


def _make_runnable(file: Path, language: Language) -> None:
    if language == "executable":
        file.chmod(PROGRAM_MODE)
