# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel of the SDK: an installed arena contains it, and a checkout builds it from its sources."""

import hashlib
import tomllib
from asyncio import create_subprocess_exec, to_thread
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.native import child

PACKED = Path(__file__).with_name("packed")
"""The folder of the wheel in an installed arena."""

PROJECT = Path(__file__).parents[3] / "tools" / "sdk"
"""The project of the SDK in a checkout."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel in memory."""

    name: str
    """The file name, which installers read."""
    content: bytes
    sha256: str
    """In hexadecimal digits."""


class NotBuilt(Exception):
    """The wheel cannot be built here; the message says why."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the wheel comes from."""

    name: str
    """The file name of the wheel."""
    read: Callable[[], Awaitable[bytes]]
    """Return the wheel. Raises NotBuilt and OSError."""


def find(packed: Path = PACKED, project: Path = PROJECT) -> Source | None:
    """Return the source of the wheel; None if this arena has neither the wheel nor the project of the SDK."""
    wheel = next(packed.glob("*.whl"), None)
    if wheel is not None:
        return Source(wheel.name, lambda: to_thread(wheel.read_bytes))
    declaration = project / "pyproject.toml"
    if not declaration.is_file():
        return None
    about = tomllib.loads(declaration.read_text("utf-8"))["project"]
    name = f"{about['name'].replace('-', '_')}-{about['version']}-py3-none-any.whl"
    return Source(name, lambda: build(project, name))


async def build(project: Path, name: str) -> bytes:
    """Return the wheel of a project, which a process builds within a second. Raises NotBuilt."""
    with TemporaryDirectory() as folder:
        process = await create_subprocess_exec(
            *child.command("hatchling", "build", "--target", "wheel", "--directory", folder),
            cwd=project,
            stdout=DEVNULL,
            stderr=PIPE,
            pass_fds=child.pass_fds(),
        )
        try:
            _, said = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        found = await to_thread(_read, Path(folder, name))
        if process.returncode or found is None:
            lines = said.decode(errors="replace").split("\n")
            raise NotBuilt(next((line for line in reversed(lines) if line.strip()), f"hatchling made no {name}"))
        return found


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def described(name: str, content: bytes) -> Wheel:
    """Return a wheel with its hash."""
    return Wheel(name, content, hashlib.sha256(content).hexdigest())
