# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache directory of compiled code, and safe writing of files.

numba checks only the file of a cached function, not the files of the functions it calls, so stale machine code could
remain after an edit. The cache directory is therefore named after a hash of numba's version and of all sources that
compiled code can come from; an edit of any of them starts a new directory. Other sources do not count: an edit of the
SDK or of a notation recompiles nothing.

If the directory is not writable, a private temporary directory replaces it. It contains code that this process runs, so
it must belong to this user, and no other user may write to it.
"""

import contextlib
import functools
import hashlib
import importlib.metadata
import logging
import os
import re
import shutil
import stat
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import platformdirs

PACKAGES = ("engine", "bots", "lab/studies", "lab/tuning")
"""Packages with compiled functions."""

_IMPORT = re.compile(r"^[ \t]*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([\w., \t]+))", re.MULTILINE)
_COMPILERS = ("numba", "engine.kernel")
"""A module that imports one of these may have compiled functions."""

_PROBE = bytes(65_536)
"""Test data: a writable directory must have room for it."""

_DIGEST = 32
"""Length of the SHA-256 at the start of each file of compiled code."""

log = logging.getLogger(__name__)


@functools.cache
def sources_hash(root: Path) -> str:
    """Return a short hash of numba's version and of the Python sources that compiled code can come from.

    These are the modules of ``PACKAGES`` that import numba or ``engine.kernel``, and the modules of ``PACKAGES`` that
    those import in turn: compiled functions take constants and other functions from them.
    """
    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    sources = {_module(path.relative_to(root)): path for path in _sources(root)}
    texts = {module: path.read_bytes() for module, path in sources.items()}
    for module in sorted(_compiled_from({module: text.decode() for module, text in texts.items()})):
        digest.update(module.encode())
        digest.update(texts[module])
    return digest.hexdigest()[:16]


def _sources(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from (root / package).rglob("*.py")


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _compiled_from(texts: Mapping[str, str]) -> set[str]:
    """Return the modules that compiled code can come from; ``texts``: all modules by name."""
    imports = {module: set(_imports(text)) for module, text in texts.items()}
    found = {module for module, names in imports.items() if any(_is_compiler(name) for name in names)}
    waiting = list(found)
    while waiting:
        new = (imports[waiting.pop()] & texts.keys()) - found
        found |= new
        waiting += new
    return found


def _imports(text: str) -> Iterator[str]:
    """Yield the imported names of a source; for ``from a import b`` both ``a`` and ``a.b``, which may be a module."""
    for package, names, modules in _IMPORT.findall(text):
        if package:
            yield package
            yield from (f"{package}.{name}" for name in re.findall(r"\w+", names))
        else:
            yield from (module.split()[0] for module in modules.split(",") if module.strip())


def _is_compiler(name: str) -> bool:
    return name.startswith(tuple(f"{compiler}." for compiler in _COMPILERS)) or name in _COMPILERS


def use_cache() -> Path:
    """Set numba's cache directory to that of these sources, below NUMBA_CACHE_DIR if it is set; return it.

    Must run before numba is imported. Child processes inherit the directory. A directory that is not writable is
    replaced by a private temporary one, with a warning.
    """
    asked = os.environ.get("NUMBA_CACHE_DIR")
    directory = Path(asked) if asked else platformdirs.user_cache_path("bot-arena") / "kernels"
    name = sources_hash(Path(__file__).resolve().parents[2])
    if directory.name != name:
        directory /= name
        try:
            _probe(directory)
        except OSError as error:
            return fall_back(directory, error)
        use_directory(directory)
    return directory


def use_directory(directory: Path) -> None:
    """Use a cache directory in this process and its child processes from now on."""
    os.environ["NUMBA_CACHE_DIR"] = str(directory)


def fall_back(directory: Path, error: OSError) -> Path:
    """Replace a cache directory that failed by a private temporary one; return the directory in use.

    Readable files are copied. If no temporary directory is writable either, nothing changes, and each process compiles
    its own code.
    """
    private = _private(directory.name)
    if private is None or private == directory:
        log.warning("Compiled code cannot be saved in %s (%s), nor in a temporary directory.", directory, error)
        use_directory(directory)
        return directory
    with contextlib.suppress(OSError, shutil.Error):
        if directory.is_dir() and not any(private.iterdir()):
            shutil.copytree(directory, private, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.tmp"))
    log.warning("Compiled code cannot be saved in %s (%s); it is saved in %s instead.", directory, error, private)
    use_directory(private)
    return private


def in_each_process(function: Callable[[], None]) -> None:
    """Call a function now, and again in each forked process."""
    function()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def _probe(directory: Path) -> None:
    """Create a directory if it is missing; raise OSError if it is not writable."""
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(_PROBE)


def _private(name: str) -> Path | None:
    """Return a private directory for compiled code; None if it is not possible."""
    user = os.getuid() if hasattr(os, "getuid") else ""
    try:
        temporary = Path(tempfile.gettempdir(), f"bot-arena-kernels-{user}")
        temporary.mkdir(mode=0o700, exist_ok=True)
        if not _is_own(temporary):
            temporary = Path(tempfile.mkdtemp(prefix="bot-arena-kernels-"))
        _probe(temporary / name)
    except OSError:
        return None
    return temporary / name


def _is_own(directory: Path) -> bool:
    """Return whether no other user can have written to a directory."""
    if not hasattr(os, "getuid"):
        return True  # the system's temporary directory belongs to the user there
    found = directory.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def sealed(body: bytes) -> bytes:
    """Return the content of a file of compiled code: a checksum and the body."""
    return hashlib.sha256(body).digest() + body


def unsealed(data: bytes) -> bytes | None:
    """Return the body of a file of compiled code; None if the file is damaged."""
    body = data[_DIGEST:]
    return body if hashlib.sha256(body).digest() == data[:_DIGEST] else None


def write_sealed(path: Path, body: bytes) -> None:
    """Write a file of compiled code atomically. Raises OSError."""
    write_whole(path, sealed(body))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: readers see the whole file or none. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name[:100]}.{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def is_warm(name: str) -> bool:
    """Return whether the cache has all compiled code of a game, undamaged; see ``note_warm``."""
    directory = use_cache()
    try:
        listed = unsealed(_mark(name).read_bytes())
        return listed is not None and all(
            unsealed((directory / file).read_bytes()) is not None for file in listed.decode().splitlines()
        )
    except OSError:
        return False


def note_warm(name: str, files: Iterable[Path]) -> None:
    """Note that these files are all compiled code of a game. Raises OSError."""
    directory = use_cache()
    listed = sorted(str(file.relative_to(directory)) for file in files if file.is_relative_to(directory))
    write_sealed(_mark(name), "\n".join(listed).encode())


def _mark(name: str) -> Path:
    return use_cache() / f"{name.replace('/', '-')}.warm"
