# SPDX-License-Identifier: GPL-3.0-or-later
"""Python in a sandbox: this interpreter with the standard library, the SDK, and a few named libraries, all read-only.

The sandbox shows the libraries in a directory of their own, so that neither the environment of the server nor the paths
of the machine are seen. The interpreter runs without its own site-packages.
"""

import contextlib
import importlib.metadata
import importlib.util
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from bots.sandbox import kernels, run_file
from bots.sandbox.limits import HOME, LIBRARIES, SYSTEM, Program, SandboxLimits

SDK = ("bots", "engine", "arena/__init__.py", "arena/protocol", "arena/rating")
"""What a bot can import of the arena: below the directories of its packages."""
DISTRIBUTIONS = ("chess", "llvmlite", "msgspec", "numba", "numpy", "platformdirs", "websockets")
"""What a bot can import besides: what the SDK and the games' rules need, and python-chess."""
BARE = ("msgspec", "platformdirs", "websockets")
"""Those of which a bot cannot read the metadata, such as the version: the SDK needs them, and authors do not choose
them. Each shown directory costs 0.1 ms of a start.
"""


def python_program(
    entry: Path | str,
    folder: Path | None = None,
    limits: SandboxLimits = SandboxLimits(),  # noqa: B008  # frozen, so no call can change it
) -> Program:
    """Return the program that runs a bot's Python file in a sandbox, in whose directory it may read everything.

    ``folder``: the directory, where ``entry`` is a path in it, or MODULE:CLASS.
    """
    if folder is None:
        file = Path(entry).resolve()
        folder, entry = file.parent, file.name
    named = str(entry) if ":" in str(entry) else f"{HOME}/{entry}"
    command = ("-u", f"{LIBRARIES}/bots/sandbox/{Path(run_file.__file__).name}", named)
    program = interpreted(command, folder, limits=limits, endings=run_file.ENDINGS)
    compiled, names = kernels.shown()
    return replace(
        program,
        libraries={**program.libraries, **compiled},
        environment={**program.environment, **names},
    )


def interpreted(
    arguments: Iterable[str],
    folder: Path,
    *,
    limits: SandboxLimits,
    further: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
    endings: Mapping[int, str] | None = None,
) -> Program:
    """Return the program that is this interpreter with arguments, in a sandbox.

    ``further``: distributions that it may import besides.
    """
    interpreter = Path(sys.executable).resolve()
    return Program(
        # without site-packages, and without the program's directory before the libraries
        (str(interpreter), "-S", "-P", *arguments),
        folder,
        readable=installation(),
        hidden=_site_packages(),
        libraries=libraries((*DISTRIBUTIONS, *further)),
        environment={"PYTHONPATH": LIBRARIES, **(environment or {})},
        limits=limits,
        endings=endings or {},
    )


def installation() -> tuple[Path, ...]:
    """Return the directories of the interpreter and its standard library that are not the system's."""
    wanted = {Path(sys.executable).resolve().parent, Path(sys.base_prefix).resolve()}
    # a link in ~/.local/bin does not count: it must not show ~/.local with everybody's data
    every = {path for path in wanted if not _within(path, map(Path, SYSTEM))}
    return tuple(sorted(path for path in every if not _within(path, every - {path})))


def _site_packages() -> tuple[Path, ...]:
    """Return the directories of libraries inside of what the sandbox shows, which it hides."""
    base = {"base": sys.base_prefix, "platbase": sys.base_prefix}
    found = {Path(sysconfig.get_path(name, vars=base)) for name in ("purelib", "platlib")}
    found |= {path.parent for path in libraries(DISTRIBUTIONS).values()}
    shown = [*map(Path, SYSTEM), *installation()]
    return tuple(sorted(path for path in {each.resolve() for each in found if each.is_dir()} if _within(path, shown)))


@cache
def libraries(names: tuple[str, ...]) -> Mapping[str, Path]:
    """Return the packages and modules of the SDK and of distributions: their paths by their places in LIBRARIES."""
    found: dict[str, Path] = {}
    for place in SDK:
        package, _, inner = place.partition("/")
        spec = importlib.util.find_spec(package)
        (folder,) = (spec and spec.submodule_search_locations) or ("",)
        found[place] = Path(folder, inner).resolve()
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            distribution = importlib.metadata.distribution(name)
            tops = {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}
            if name in BARE:
                tops = {top for top in tops if not top.endswith(".dist-info")}
            found |= {top: Path(str(distribution.locate_file(top))).resolve() for top in tops}
    return found


def _within(path: Path, others: Iterable[Path]) -> bool:
    return any(other in (path, *path.parents) for other in others)
