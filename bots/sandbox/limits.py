# SPDX-License-Identifier: GPL-3.0-or-later
"""The program that a sandbox runs, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Resource limits of one sandbox. Sizes are in bytes."""

    memory: int = 1024 * MIB
    """Memory of all processes together, temporary files included."""
    cores: float = 1.0
    """Processors that all processes may use together; enforced where cgroups are writable."""
    processes: int = 64
    """Processes and threads."""
    open_files: int = 256
    """Open files of a process."""
    file_size: int = 64 * MIB
    """The largest file that it may write."""
    temporary: int = 64 * MIB
    """All files in its temporary directory together."""
    inodes: int = 4096
    """Number of files in its temporary directory."""

    def __post_init__(self) -> None:
        """Raise ValueError if a limit is not positive."""
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise ValueError(f"the sandbox limit {name} must be above 0 (got {getattr(self, name)})")


@dataclass(frozen=True, slots=True)
class Program:
    """A command, the directory that it sees as ``/bot`` and runs in, and what else it may read."""

    command: tuple[str, ...]
    """Program and arguments, as the sandbox sees them: a path below ``/bot`` or the system's."""
    directory: Path
    """Its files; read-only."""
    readable: tuple[Path, ...] = ()
    """Further directories and files, which the sandbox shows read-only under their own paths."""
    hidden: tuple[Path, ...] = ()
    """Directories in these or in the system's, which the sandbox shows empty."""
    libraries: Mapping[str, Path] = field(default_factory=dict)
    """Further directories and files, which the sandbox shows read-only below LIBRARIES, by their places there.

    Those that do not exist when the program starts are left out.
    """
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: SandboxLimits = SandboxLimits()
    endings: Mapping[int, str] = field(default_factory=dict)
    """What its exit statuses mean, for people."""


HOME = "/bot"
"""Where the sandbox shows the directory of the program."""
LIBRARIES = "/libraries"
"""Where the sandbox shows the libraries of a program."""
ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    # one thread each: the limit counts threads, and a bot shall not slow its opponent
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "NUMBA_CACHE_DIR": "/tmp/numba",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The whole environment of a program, before its own additions."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Directories of the system that every program may read; those that exist."""
FILES = ("/etc/ld.so.cache", "/etc/alternatives")
"""Files that the dynamic linker and the system's commands need."""
