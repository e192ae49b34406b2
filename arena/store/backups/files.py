# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a backup: written beside their folder first, and then added to it by renames."""

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from arena.store.backups.archive import FILES, ArchiveReader, BadBackup, sync_folder
from arena.store.backups.manifest import Part

_PRIVATE = 0o700
_DISPLACED = ".displaced-"


class StagedFiles:
    """Files that are on the disk and not at their places yet."""

    def __init__(self) -> None:
        self.count = 0
        self.unknown: list[str] = []
        """Folders of features that are not here."""
        self._staged: list[tuple[Path, Path]] = []
        """Folders with new entries, and the folders where these belong."""

    def add(self, reader: ArchiveReader, name: str, root: Path, parts: list[Part]) -> None:
        """Write the files of a folder. Raises BadBackup, and OSError."""
        staging = root.with_name(f"{root.name}.restoring")
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True, mode=_PRIVATE)
        self._staged.append((staging, root))
        folders = {folder: mode for folder, mode in reader.manifest.folders.items() if _is_in(folder, name)}
        for folder in sorted(folders):
            _below(staging, folder).mkdir(mode=_PRIVATE, exist_ok=True, parents=True)
        for part in parts:
            path = _below(staging, part.name.removeprefix(f"{FILES}/"))
            if path == staging or not path.parent.is_dir():
                raise BadBackup(f"{part.name} is in no folder of the backup")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
                for chunk in reader.chunks(part):
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            path.chmod(part.mode & 0o777)
            self.count += 1
        for folder in sorted(folders, reverse=True):
            path = _below(staging, folder)
            sync_folder(path)
            if path != staging:
                path.chmod(folders[folder] & 0o777)

    def put(self) -> None:
        """Add all entries to their folders. An entry with the same content stays; another is replaced."""
        for staging, root in self._staged:
            root.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
            for entry in sorted(staging.iterdir()):
                place = root / entry.name
                if os.path.lexists(place):
                    if _content(place) == _content(entry):
                        continue
                    place.rename(staging / f"{_DISPLACED}{entry.name}")
                entry.rename(place)
            sync_folder(root)

    def close(self) -> None:
        """Remove what was not put at its place."""
        for staging, _ in self._staged:
            shutil.rmtree(staging, ignore_errors=True)


def stage(reader: ArchiveReader | None, folders: Mapping[str, Path]) -> StagedFiles:
    """Write the files of an archive beside their folders. Raises BadBackup, and OSError; then nothing stays."""
    files = StagedFiles()
    if reader is None:
        return files
    with contextlib.ExitStack() as on_error:
        on_error.callback(files.close)
        by_folder: dict[str, list[Part]] = {}
        for part in reader.manifest.parts:
            if part.name.startswith(f"{FILES}/"):
                by_folder.setdefault(part.name.split("/")[1], []).append(part)
        for name in sorted(by_folder.keys() | {name.partition("/")[0] for name in reader.manifest.folders}):
            if name not in folders:
                files.unknown.append(name)
                continue
            parts, root = by_folder.get(name, []), folders[name]
            root.parent.mkdir(parents=True, exist_ok=True)
            needed, free = sum(part.bytes for part in parts), shutil.disk_usage(root.parent).free
            if needed > free:
                raise BadBackup(f"the backup has {needed:,} bytes of files, and {root.parent} has {free:,} bytes free")
            files.add(reader, name, root, parts)
        on_error.pop_all()
    return files


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _below(staging: Path, name: str) -> Path:
    """Return the path of a file or folder, whose name begins with that of its top folder."""
    return staging.joinpath(*PurePosixPath(name).parts[1:])


def _content(path: Path) -> dict[str, str]:
    """Return the checksums of the files at a path by their names below it; folders and others by their kind."""
    if path.is_symlink() or not path.is_dir():
        return {"": _checksum(path)}
    return {each.relative_to(path).as_posix(): _checksum(each) for each in path.rglob("*")}


def _checksum(path: Path) -> str:
    mode = path.lstat().st_mode
    if not stat.S_ISREG(mode):
        return f"kind {stat.S_IFMT(mode):o}"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
