# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache of compiled code on disk: checked files, and locks, so that only one process compiles a function.

numba loads a cached function without checking its file; a damaged file raises errors or crashes the process. Here each
file begins with a checksum, and each index names the files of a function by their content, so that processes that write
at the same time do not mix their files. Damaged or missing code is compiled again, and code that cannot be written is
compiled again by the next process.

Each function is saved as soon as it is compiled, so a killed process loses only the function in progress. While a
process compiles a function, it holds a lock: other processes wait, and then load the saved code. The lock is the
operating system's (flock) on an empty file beside the compiled code, so it is released however its holder ends. The
files remain: after a deletion two processes could lock two files of the same name. Locks are taken in the order of
calls between functions, which form no circle, so there is no deadlock. Without locks (no such system call, no
permission, or a holder that makes no progress for PATIENCE seconds) a process compiles on its own.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.serialize import dumps

from engine.native import runtime

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
"""The directory of our packages."""

used: set[Path] = set()
"""The undamaged files that this process loaded or wrote."""

compiled: list[str] = []
"""The functions that this process compiled."""

lost: list[str] = []
"""Errors: why compiled code of this process could not be saved."""


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]  # numba has no types
    """Location of the compiled code of a source: in the cache directory in use.

    The directory's name is a hash of our sources. Their code is stored by package, so all checkouts with the same
    sources share it; code of other sources is stored by path, time and size.
    """

    def __init__(self, function: Any, source: str) -> None:
        self._py_file = source
        self._lineno = function.__code__.co_firstlineno
        path = Path(source).resolve()
        own = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in runtime.PACKAGES
        self._package = ".".join(path.relative_to(ROOT).parent.parts) if own else ""

    @classmethod
    def from_function(cls, function: Any, source: str) -> "Locator | None":
        """Return the locator of a function; None if it has no source file."""
        return cls(function, source) if Path(source).exists() else None

    def get_cache_path(self) -> str:
        """Return the directory."""
        return str(runtime.use_cache() / (self._package or self.get_suitable_cache_subpath(self._py_file)))

    def get_source_stamp(self) -> object:
        """Return a stamp that differs between versions of a source in the same directory."""
        return "" if self._package else super().get_source_stamp()

    def ensure_cache_path(self) -> None:
        """Do nothing: the directory is created on the first write."""


class _Naming(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """Names and serialisation of a function's files."""

    _locator_classes = (Locator, *CompileResultCacheImpl._locator_classes[1:])


class Files:
    """The index of one function, and a file for each of its signatures."""

    def __init__(self, locator: Any, base: str) -> None:
        self._locator = locator
        self._base = base
        self._stamp = (numba.__version__, locator.get_source_stamp())

    def load(self, key: object) -> Any:
        """Return the saved code of a signature; None if it is missing or damaged."""
        name = self._index().get(key)
        body = None if name is None else _read(self._path(name))
        return None if body is None else pickle.loads(body)

    def save(self, key: object, data: object) -> None:
        """Save the code of a signature. Raises OSError."""
        body: bytes = dumps(data)
        name = f"{self._base}.{hashlib.sha256(body).hexdigest()[:16]}.nbc"
        _write(self._path(name), body)
        _write(self._index_path, dumps((self._stamp, self._index() | {key: name})))

    def flush(self) -> None:
        """Remove the index."""
        with contextlib.suppress(OSError):
            self._index_path.unlink()

    @property
    def lock(self) -> Path:
        """The lock file of the function."""
        return self._path(f"{self._base}.lock")

    @property
    def _index_path(self) -> Path:
        return self._path(f"{self._base}.nbi")

    def _path(self, name: str) -> Path:
        return Path(self._locator.get_cache_path(), name)

    def _index(self) -> dict[object, str]:
        body = _read(self._index_path)
        if body is None:
            return {}
        stamp, names = pickle.loads(body)
        return dict(names) if stamp == self._stamp else {}


class GuardedCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """The cache of one function; on any error the function is compiled."""

    def __init__(self, function: Any) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _Naming(function)
        self._cache_file = Files(self._impl.locator, self._impl.filename_base)
        self.of_parts = False
        """Whether parts (``engine.native.parts``) are loaded and saved; they are stored beside complete code."""
        self._locks: list[Path] = []
        """The held locks, one for each compilation in progress."""
        self.enable()

    @property
    def cache_path(self) -> str:
        """The directory in use."""
        path: str = self._impl.locator.get_cache_path()
        return path

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), self.of_parts

    def _load_overload(self, signature: Any, target: Any) -> Any:
        """Return the code of a signature; None if it must be compiled, and then the function's lock is held."""
        loaded = self._loaded(signature, target)
        if loaded is not None:
            return loaded
        self._locks.append(self._cache_file.lock)
        if take_lock(self._locks[-1], self._py_func.__qualname__):
            loaded = self._loaded(signature, target)
        if loaded is None:
            compiled.append(self._py_func.__qualname__)
        else:
            self.unlock()
        return loaded

    def unlock(self) -> None:
        """Release the lock: the function is compiled and saved, or failed."""
        if self._locks:
            release_lock(self._locks.pop())

    def _loaded(self, signature: Any, target: Any) -> Any:
        try:
            return super()._load_overload(signature, target)
        except Exception as error:  # from another version of llvmlite, for example
            log.warning("Compiled code of %s cannot be loaded (%r); compiling it again.", self._name, error)
            self._cache_file.flush()
            return None

    def _save_overload(self, signature: Any, data: Any) -> None:
        try:
            super()._save_overload(signature, data)
        except OSError as error:
            self._save_elsewhere(signature, data, error)
        finally:
            self.unlock()

    def _save_elsewhere(self, signature: Any, data: Any, error: OSError) -> None:
        """Save in a private directory instead; if that fails, the next process compiles again."""
        if not lost:
            runtime.fall_back(runtime.use_cache(), error)
        try:
            super()._save_overload(signature, data)
        except OSError as again:
            lost.append(f"compiled code cannot be saved in {runtime.use_cache()}: {again}")


def _read(path: Path) -> bytes | None:
    """Return the body of a file; None if it is missing, unreadable or damaged. Damaged files are removed."""
    try:
        body = runtime.unsealed(path.read_bytes())
        if body is None:
            log.warning("The compiled code in %s is damaged; compiling it again.", path)
            path.unlink()
        else:
            used.add(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        log.warning("The compiled code in %s cannot be read or discarded: %s", path, error)
        return None
    return body


def _write(path: Path, body: bytes) -> None:
    runtime.write_sealed(path, body)
    used.add(path)


class _Failures(event.Listener):  # type: ignore[misc]  # numba has no types
    """Releases the locks of functions whose compilation failed."""

    def on_start(self, started: Any) -> None:
        """Do nothing: ``GuardedCache`` takes the lock."""

    def on_end(self, ended: Any) -> None:
        """Release the lock after an exception; otherwise saving does it."""
        cache = ended.data["dispatcher"]._cache
        if ended._exc_details is not None and isinstance(cache, GuardedCache):
            cache.unlock()


def guard() -> None:
    """Release locks when compilation fails."""
    event.register("numba:compile", _Failures())


# ---------------------------------------------------------------- locks: one process compiles a function

LOOK = 0.05
"""Seconds between two attempts to take a lock that another process holds."""

NOTICE = 5.0
"""Seconds of waiting after which a process says that it waits."""

PATIENCE = 600.0
"""Seconds after which a process compiles without the lock: its holder may be suspended."""

_held: dict[Path, tuple[int, int]] = {}
"""File descriptor of each held lock, and how often it was taken. Used only by the thread that compiles: numba lets one
thread compile at a time."""


def take_lock(path: Path, what: str) -> bool:
    """Take the lock of a file, which is created if it is missing; wait while another process holds it.

    Returns whether this process waited: then the other process may have saved the code. ``what``: name of the function,
    for messages. Call ``release_lock`` once for each call.
    """
    if path in _held:
        descriptor, times = _held[path]
        _held[path] = descriptor, times + 1
        return False
    descriptor = _opened(path)
    _held[path] = descriptor, 1
    if descriptor < 0 or _locked(descriptor):
        return False
    log.info("waiting for another process that compiles %s", what)
    tick = threading.Event()
    for attempt in range(int(PATIENCE / LOOK)):
        if attempt == int(NOTICE / LOOK):
            _warn_of_wait(what)
        tick.wait(LOOK)
        if _locked(descriptor):
            return True
    log.warning("Another process has compiled %s for %.0f s; compiling it here too.", what, PATIENCE)
    return True


_warned: list[str] = []
"""The function named in this process's warning that it waits for a lock; each process warns once."""


def _warn_of_wait(what: str) -> None:
    """Warn once that this process waits; without a log the warning goes to stderr."""
    if not _warned:
        _warned.append(what)
        log.warning("Waiting for another process that compiles %s.", what)


def release_lock(path: Path) -> None:
    """Release a lock that this process took, once for each time; other locks are ignored."""
    if path not in _held:
        return
    descriptor, times = _held.pop(path)
    if times > 1:
        _held[path] = descriptor, times - 1
    elif descriptor >= 0:
        os.close(descriptor)


def _opened(path: Path) -> int:
    """Return a descriptor of the file, -1 if it cannot be opened."""
    if sys.platform == "win32":
        return -1
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    return -1


def _locked(descriptor: int) -> bool:
    """Try to take the lock; return True on systems without locks."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
