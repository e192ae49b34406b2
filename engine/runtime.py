# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache directory of compiled code.

numba stamps only the file of a cached function, not the files it calls, so an edited kernel would leave stale machine
code behind. The cache directory is therefore named after a hash of every source that compiled code can come from, and
of numba's version: an edit of any of them starts a new one. Other sources do not count, so that an edit of the SDK, of
a bot's protocol or of a notation compiles nothing again.

Where the directory cannot be written, a private one among the system's temporary files takes its place. What it holds
is code that this process runs, so it must belong to this user, and nobody else may write there.
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
"""Our packages that hold compiled functions."""

_IMPORT = re.compile(r"^[ \t]*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([\w., \t]+))", re.MULTILINE)
_COMPILERS = ("numba", "engine.kernel")
"""A module that imports one of these may hold compiled functions."""

_PROBE = bytes(65_536)
"""What must fit into a directory that is said to take compiled code."""

_DIGEST = 32
"""Bytes of the SHA-256 that each file of compiled code begins with."""

log = logging.getLogger(__name__)


@functools.cache
def sources_hash(root: Path) -> str:
    """Return a short hash of the Python sources that compiled code can come from, and of numba's version.

    These are the modules of ``PACKAGES`` that import numba or ``engine.kernel``, and all modules of theirs that those
    import in turn: compiled functions take constants and other functions from there.
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
    """Return the modules that compiled code can come from, given the texts of all by name."""
    imports = {module: set(_imports(text)) for module, text in texts.items()}
    found = {module for module, names in imports.items() if any(_is_compiler(name) for name in names)}
    waiting = list(found)
    while waiting:
        new = (imports[waiting.pop()] & texts.keys()) - found
        found |= new
        waiting += new
    return found


def _imports(text: str) -> Iterator[str]:
    """Yield the names that a source imports; of ``from a import b`` both ``a`` and ``a.b``, which may be a module."""
    for package, names, modules in _IMPORT.findall(text):
        if package:
            yield package
            yield from (f"{package}.{name}" for name in re.findall(r"\w+", names))
        else:
            yield from (module.split()[0] for module in modules.split(",") if module.strip())


def _is_compiler(name: str) -> bool:
    return name.startswith(tuple(f"{compiler}." for compiler in _COMPILERS)) or name in _COMPILERS


def use_cache() -> Path:
    """Point numba at the directory of these sources, in NUMBA_CACHE_DIR where that is set.

    Must run before numba is imported; returns the directory. A process started by this one finds it set, and keeps it.
    A directory that cannot be written is replaced by a private temporary one, and a warning tells of it.
    """
    asked = os.environ.get("NUMBA_CACHE_DIR")
    directory = Path(asked) if asked else platformdirs.user_cache_path("bot-arena") / "kernels"
    name = sources_hash(Path(__file__).resolve().parent.parent)
    if directory.name != name:
        directory /= name
        try:
            _probe(directory)
        except OSError as error:
            return fall_back(directory, error)
        use_directory(directory)
    return directory


def use_directory(directory: Path) -> None:
    """Keep compiled code in a directory of these sources from now on, in this process and those it starts."""
    os.environ["NUMBA_CACHE_DIR"] = str(directory)


def fall_back(directory: Path, error: OSError) -> Path:
    """Keep compiled code in a private temporary directory, because ``directory`` failed; return what is used now.

    What can still be read is copied. Where no other directory can be written either, nothing changes, and processes
    compile for themselves.
    """
    private = _private(directory.name)
    if private is None or private == directory:
        log.warning("Compiled code cannot be kept in %s (%s), nor in a temporary directory.", directory, error)
        use_directory(directory)
        return directory
    with contextlib.suppress(OSError, shutil.Error):
        if directory.is_dir() and not any(private.iterdir()):
            shutil.copytree(directory, private, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.tmp"))
    log.warning("Compiled code cannot be kept in %s (%s); it is kept in %s instead.", directory, error, private)
    use_directory(private)
    return private


def in_each_process(function: Callable[[], None]) -> None:
    """Call a function now, and again in each process that is forked from this one."""
    function()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def _probe(directory: Path) -> None:
    """Raise OSError when files cannot be written in a directory, which is made where it is missing."""
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(_PROBE)


def _private(name: str) -> Path | None:
    """Return a directory for compiled code that is this user's alone; None where there can be none."""
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
    """Tell whether nobody else can have put anything into a directory."""
    if not hasattr(os, "getuid"):
        return True  # the system's temporary directory is the user's own there
    found = directory.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def sealed(body: bytes) -> bytes:
    """Return what a file of compiled code holds: a checksum, and the body."""
    return hashlib.sha256(body).digest() + body


def unsealed(data: bytes) -> bytes | None:
    """Return the body of a file of compiled code; None when the file is damaged."""
    body = data[_DIGEST:]
    return body if hashlib.sha256(body).digest() == data[:_DIGEST] else None


def write_sealed(path: Path, body: bytes) -> None:
    """Write a file of compiled code so that readers find all of it or nothing. Raises OSError."""
    write_whole(path, sealed(body))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that readers find all of it or nothing. Raises OSError."""
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
    """Tell whether all compiled code of a game, as ``note_warm`` listed it, is in the cache undamaged."""
    directory = use_cache()
    try:
        listed = unsealed(_mark(name).read_bytes())
        return listed is not None and all(
            unsealed((directory / file).read_bytes()) is not None for file in listed.decode().splitlines()
        )
    except OSError:
        return False


def note_warm(name: str, files: Iterable[Path]) -> None:
    """Note that all compiled code of a game is in the cache, in these files. Raises OSError."""
    directory = use_cache()
    listed = sorted(str(file.relative_to(directory)) for file in files if file.is_relative_to(directory))
    write_sealed(_mark(name), "\n".join(listed).encode())


def _mark(name: str) -> Path:
    return use_cache() / f"{name.replace('/', '-')}.warm"
