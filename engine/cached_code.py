# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of compiled code: checked as they are read, discarded when they are damaged, never worth an error.

numba loads a cached function without looking whether its file is whole, and raises, or ends the process, where it is
not. Here each file begins with a checksum, and each index names the files of a function by their content, so that
processes that write at once never mix up each other's. What is damaged or missing counts as never compiled; what
cannot be written is compiled again by the next process.

Each function is saved at the moment it is compiled, so a process that is killed loses the function that it was at, and
no other. While a function is compiled, its lock keeps other processes from compiling it too (``engine.compile_lock``).
"""

import contextlib
import hashlib
import logging
import pickle
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.serialize import dumps

from engine import compile_lock, runtime

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent
"""The directory of our packages."""

used: set[Path] = set()
"""The files that this process loaded or wrote, and so found undamaged."""

compiled: list[str] = []
"""The functions that were not in the cache."""

lost: list[str] = []
"""Why compiled code of this process could not be kept."""


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]  # numba has no types
    """Where the functions of a source are kept: in the directory that is used at that moment.

    The directory's name tells the contents of our own sources. Their code is therefore kept by package, and serves
    every checkout with the same sources; that of other sources by their path, time and size.
    """

    def __init__(self, function: Any, source: str) -> None:
        self._py_file = source
        self._lineno = function.__code__.co_firstlineno
        path = Path(source).resolve()
        own = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in runtime.PACKAGES
        self._package = ".".join(path.relative_to(ROOT).parent.parts) if own else ""

    @classmethod
    def from_function(cls, function: Any, source: str) -> "Locator | None":
        """Return the locator of a function; None where it has no source file."""
        return cls(function, source) if Path(source).exists() else None

    def get_cache_path(self) -> str:
        """Return the directory."""
        return str(runtime.use_cache() / (self._package or self.get_suitable_cache_subpath(self._py_file)))

    def get_source_stamp(self) -> object:
        """Return what differs between versions of the source that share a directory."""
        return "" if self._package else super().get_source_stamp()

    def ensure_cache_path(self) -> None:
        """Leave that to the moment when something is written."""


class _Naming(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """How a function's files are called, and what of it is written."""

    _locator_classes = (Locator, *CompileResultCacheImpl._locator_classes[1:])


class Files:
    """The index of one function, and a file for each of its signatures."""

    def __init__(self, locator: Any, base: str) -> None:
        self._locator = locator
        self._base = base
        self._stamp = (numba.__version__, locator.get_source_stamp())

    def load(self, key: object) -> Any:
        """Return what was saved for a signature; None when it is not there, or damaged."""
        name = self._index().get(key)
        body = None if name is None else _read(self._path(name))
        return None if body is None else pickle.loads(body)

    def save(self, key: object, data: object) -> None:
        """Keep the code of a signature. Raises OSError."""
        body: bytes = dumps(data)
        name = f"{self._base}.{hashlib.sha256(body).hexdigest()[:16]}.nbc"
        _write(self._path(name), body)
        _write(self._index_path, dumps((self._stamp, self._index() | {key: name})))

    def flush(self) -> None:
        """Forget all signatures."""
        with contextlib.suppress(OSError):
            self._index_path.unlink()

    @property
    def lock(self) -> Path:
        """The file whose lock a process holds while it compiles the function."""
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
    """The cache of one function: whatever goes wrong with it, the function is compiled."""

    def __init__(self, function: Any) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _Naming(function)
        self._cache_file = Files(self._impl.locator, self._impl.filename_base)
        self.of_parts = False
        """Whether what is loaded and saved are parts (``engine.parts``), which are kept beside code in full."""
        self._locks: list[Path] = []
        """Those that were taken and not given back, one for each compilation of the function that is going on."""
        self.enable()

    @property
    def cache_path(self) -> str:
        """The directory in use."""
        path: str = self._impl.locator.get_cache_path()
        return path

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), self.of_parts

    def _load_overload(self, signature: Any, target: Any) -> Any:
        """Return the code of a signature; None, and the function's lock is held, where it has to be compiled."""
        loaded = self._loaded(signature, target)
        if loaded is not None:
            return loaded
        self._locks.append(self._cache_file.lock)
        if compile_lock.take(self._locks[-1], self._py_func.__qualname__):
            loaded = self._loaded(signature, target)
        if loaded is None:
            compiled.append(self._py_func.__qualname__)
        else:
            self.unlock()
        return loaded

    def unlock(self) -> None:
        """Give the lock back: the function is compiled and saved, or cannot be."""
        if self._locks:
            compile_lock.give_back(self._locks.pop())

    def _loaded(self, signature: Any, target: Any) -> Any:
        try:
            return super()._load_overload(signature, target)
        except Exception as error:  # made by other versions of what numba is built on, say
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
        """Save again in a private directory; where that fails, the next process compiles again."""
        if not lost:
            runtime.fall_back(runtime.use_cache(), error)
        try:
            super()._save_overload(signature, data)
        except OSError as again:
            lost.append(f"compiled code cannot be kept in {runtime.use_cache()}: {again}")


def _read(path: Path) -> bytes | None:
    """Return the body of a file; None when it is missing, unreadable or damaged, and then no longer there."""
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
    """Gives the locks back of functions that cannot be compiled."""

    def on_start(self, started: Any) -> None:
        """Leave that to ``GuardedCache``."""

    def on_end(self, ended: Any) -> None:
        """Give the lock back after an exception; else the function is saved first."""
        cache = ended.data["dispatcher"]._cache
        if ended._exc_details is not None and isinstance(cache, GuardedCache):
            cache.unlock()


def guard() -> None:
    """Give back the locks of functions that cannot be compiled."""
    event.register("numba:compile", _Failures())
