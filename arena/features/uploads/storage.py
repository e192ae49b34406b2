# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of uploads on the disk, by the SHA-256 of the uploaded file and its language.

A folder appears under its name only when it is whole: it is written under another name, to the disk, and renamed. A
crash leaves at most a folder that no row names; ``tidy`` removes it at the next start.
"""

import contextlib
import hashlib
import secrets
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from arena.features.uploads.contents import Contents, extract
from arena.features.uploads.unpacking import FOLDER_MODE, Caps, new_file
from arena.store.backups.archive import sync_folder

FILE, FILES = "file", "files"
"""In each folder: the file as it was uploaded, and the folder of its files that programs see."""
_UNFINISHED = ".new-"
_PRIVATE = 0o700


class Kept(NamedTuple):
    """A stored upload."""

    digest: str
    """SHA-256 of the uploaded file, in hexadecimal digits."""
    contents: Contents


class Storage:
    """The folder of all uploads. Its methods block; call them in a thread, one at a time."""

    def __init__(self, folder: Path, caps: Caps) -> None:
        self._folder = folder
        self._caps = caps

    def keep(self, body: bytes, name: str) -> Kept:
        """Store a file and its unpacked content; return its description. ``name``: the file's name, for its ending.

        Raises BadFile if the content is refused, and OSError; then nothing stays.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(_PRIVATE)
        digest = hashlib.sha256(body).hexdigest()
        unfinished = self._folder / f"{_UNFINISHED}{secrets.token_hex(8)}"
        try:
            files = unfinished / FILES
            files.mkdir(parents=True)
            files.chmod(FOLDER_MODE)
            contents = extract(body, name, files, self._caps)
            with new_file(unfinished / FILE) as file:
                file.write(body)
            place = self.place(digest, contents.language)
            if not place.is_dir():
                sync_folder(files)
                sync_folder(unfinished)
                try:
                    unfinished.rename(place)
                except OSError:
                    if not place.is_dir():  # of another server that shares the folder
                        raise
                sync_folder(self._folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return Kept(digest, contents)

    def place(self, digest: str, language: str) -> Path:
        """Return the folder of an upload."""
        return self._folder / f"{digest}.{language}"

    def files(self, digest: str, language: str) -> Path:
        """Return the folder that the program of an upload sees."""
        return self.place(digest, language) / FILES

    def read(self, digest: str, language: str) -> bytes:
        """Return an uploaded file. Raises OSError."""
        return (self.place(digest, language) / FILE).read_bytes()

    def drop(self, digest: str, language: str) -> None:
        """Remove an upload from the disk."""
        place = self.place(digest, language)
        gone = self._folder / f"{_UNFINISHED}{secrets.token_hex(8)}"
        with contextlib.suppress(FileNotFoundError):
            place.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def tidy(self, known: Collection[tuple[str, str]]) -> list[str]:
        """Remove folders that crashes left; return their names. ``known``: digest and language of each stored upload.

        Names that this class does not give stay as they are.
        """
        if not self._folder.is_dir():
            return []
        named = {f"{digest}.{language}" for digest, language in known}
        gone = [each for each in self._folder.iterdir() if _is_ours(each.name) and each.name not in named]
        for each in gone:
            shutil.rmtree(each, ignore_errors=True)
        return sorted(each.name for each in gone)


def _is_ours(name: str) -> bool:
    digest, _, language = name.partition(".")
    whole = len(digest) == 64 and set(digest) <= set("0123456789abcdef") and language.isalpha()
    return whole or name.startswith(_UNFINISHED)
