# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node of a cluster runs. This module travels to the nodes as its code, and imports only the standard library,
so that it also runs on nodes without a bot-arena or with another version.
"""

from typing import NamedTuple


class Software(NamedTuple):
    """The versions of a node that results and pickles depend on; "none" where something is missing."""

    python: str
    ray: str
    arena: str
    numba: str
    numpy: str
    code: str
    """A short hash of the sources of ``engine`` and ``bots``."""


def software() -> Software:
    """Return the versions of this machine."""
    import hashlib
    import importlib.metadata
    import importlib.util
    import pathlib
    import platform

    def version(name: str) -> str:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return "none"

    code = hashlib.sha256()
    for package in ("bots", "engine"):
        found = importlib.util.find_spec(package)
        for place in (found.submodule_search_locations or ()) if found else ():
            folder = pathlib.Path(place)
            for path in sorted(folder.rglob("*.py")):
                code.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return Software(
        platform.python_version(),
        version("ray"),
        version("bot-arena"),
        version("numba"),
        version("numpy"),
        code.hexdigest()[:12],
    )


def examined() -> tuple[Software, bool]:
    """Return the versions of this machine, and whether its cluster admits only those who have its token."""
    import os

    return Software(*software()), os.environ.get("RAY_AUTH_MODE", "").lower() == "token"


def differences(own: Software, theirs: Software) -> list[str]:
    """Return what differs between the versions of two machines, for people."""
    return [
        f"{_TITLES[name]} {there} (here {here})"
        for name, here, there in zip(own._fields, own, theirs, strict=True)
        if here != there
    ]


_TITLES = {
    "python": "Python",
    "ray": "Ray",
    "arena": "bot-arena",
    "numba": "numba",
    "numpy": "numpy",
    "code": "the code of engine and bots",
}
