# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that runs a program in a sandbox of bubblewrap.

A sandbox has namespaces of its own (processes, network, IPC, host name, mounts), a read-only system, the program's
directory read-only, a temporary directory in memory, no capabilities, and the filter of ``seccomp``. Where root starts
it, the program runs as a user that owns nothing; otherwise in a user namespace.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from bots.sandbox.limits import ENVIRONMENT, FILES, HOME, LIBRARIES, SYSTEM, Program, SandboxLimits

NEEDED = ("bwrap", "prlimit", "setpriv")


def missing() -> list[str]:
    """Return the needed commands that this machine lacks."""
    return [name for name in NEEDED if shutil.which(name) is None]


def command(program: Program, user: int | None, filter_descriptor: int) -> list[str]:
    """Return the whole command. ``user``: number of the user that it becomes, where root starts it; else None."""
    return [
        str(shutil.which("bwrap")),
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *(() if user is not None else ("--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL")),
        *("--die-with-parent", "--new-session", "--hostname", "bot", "--clearenv"),
        *(word for item in {**ENVIRONMENT, **program.environment}.items() for word in ("--setenv", *item)),
        *_system(),
        *(word for path in program.readable for word in _shown(path)),
        *(
            word
            for path in program.hidden
            for word in ("--perms", "0755", "--tmpfs", str(path), "--remount-ro", str(path))
        ),
        *_libraries(program.libraries),
        *("--ro-bind", str(program.directory), HOME, "--chdir", HOME),
        *("--proc", "/proc", "--dev", "/dev"),
        *_memory_directory("/tmp", program.limits),
        *_memory_directory("/dev/shm", program.limits),
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *("--seccomp", str(filter_descriptor), "--"),
        *resource_limits(program.limits),
        *(() if user is None else lowered(user)),
        *program.command,
    ]


def _system() -> Iterator[str]:
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from _shown(path)
    for path in map(Path, FILES):
        if path.exists():
            yield from _shown(path)


def _shown(path: Path) -> Iterator[str]:
    """Show a path read-only. Bubblewrap would keep the directories above it from the program's user."""
    for above in reversed(path.parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(above))
    yield from ("--ro-bind", str(path), str(path))


def _libraries(libraries: Mapping[str, Path]) -> Iterator[str]:
    """Show directories and files read-only below LIBRARIES."""
    for above in sorted({LIBRARIES, *(f"{LIBRARIES}/{Path(place).parent}" for place in libraries)}):
        yield from ("--perms", "0755", "--dir", above)
    for place, path in libraries.items():
        # compiled code may have been removed meanwhile
        yield from ("--ro-bind-try", str(path), f"{LIBRARIES}/{place}")


def _memory_directory(path: str, limits: SandboxLimits) -> tuple[str, ...]:
    return "--perms", "1777", "--size", str(limits.temporary), "--tmpfs", path


def resource_limits(limits: SandboxLimits) -> list[str]:
    """Return the command that sets the limits of the processes that the rest of the line starts."""
    return [
        *("prlimit", f"--nproc={limits.processes}", f"--nofile={limits.open_files}", f"--fsize={limits.file_size}"),
        *("--core=0", "--memlock=0", "--sigpending=256", "--msgqueue=0", "--nice=0", "--rtprio=0", "--"),
    ]


def lowered(user: int) -> list[str]:
    """Return the command that becomes a user without any right."""
    return [
        *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"),
        *("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--"),
    ]


def new_user() -> int | None:
    """Return the number of a user for one sandbox where root runs; None for other users.

    Each sandbox has a user of its own, so that none counts the processes of another. The numbers are above those that
    systems give to people, services and containers.
    """
    if os.geteuid() != 0:
        return None
    return 1_900_000_000 + int.from_bytes(os.urandom(3))
