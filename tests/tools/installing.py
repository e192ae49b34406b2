# SPDX-License-Identifier: GPL-3.0-or-later
"""The two wheels of this repository, and environments of their own in which they are installed.

Packages come from the lock file with their hashes: from uv's cache if it has them, otherwise from the index.
"""

import hashlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SDK = ROOT / "tools" / "sdk"


def built(project: Path, folder: Path) -> Path:
    """Build the wheel of a project in an empty folder, and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=project, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.iterdir()
    return wheel


def locked(*names: str) -> str:
    """Return the entries of the lock file for distributions; without names, the whole file."""
    lock = (ROOT / "requirements" / "run.lock").read_text("utf-8")
    entries = {re.split("==", entry)[0]: entry for entry in re.split(r"\n(?=[a-z0-9])", lock)}
    return "\n".join(entries[name] for name in names) if names else lock


class Environment:
    """A virtual environment of this Python, with nothing in it at first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        _uv("venv", "--quiet", "--python", sys.executable, str(folder))

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        return Path(self.run("import sysconfig; print(sysconfig.get_path('purelib'))").strip())

    def install(self, *wheels: Path, requirements: str = "") -> None:
        """Install wheels and what they need, which ``requirements`` name with their versions and hashes."""
        listed = [
            f"{wheel.name.partition('-')[0]} @ {wheel.as_uri()} --hash=sha256:{_digest(wheel)}" for wheel in wheels
        ]
        file = self.folder / "requirements.txt"
        file.write_text("\n".join((requirements, *listed, "")))
        lock = ROOT / "requirements" / "build.lock"
        options = ["--quiet", "--python", str(self.python), "--require-hashes", "--requirements", str(file)]
        _uv("pip", "install", *options, "--build-constraints", str(lock))

    def pip(self, command: str, *arguments: str) -> None:
        """Run a command of ``uv pip`` that needs no index."""
        _uv("pip", command, "--quiet", "--offline", "--python", str(self.python), *arguments)

    def run(self, program: str, *arguments: str) -> str:
        """Run a program in it, apart from this checkout; return its output."""
        command = [str(self.python), "-I", "-B", "-c", program, *arguments]
        done = subprocess.run(command, cwd=self.folder, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _digest(wheel: Path) -> str:
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def _uv(*arguments: str) -> None:
    """Run uv, without the network if its cache suffices."""
    said = ""
    for options in _attempts(arguments):
        command = [sys.executable, "-m", "tools.install", *options]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return
        said += done.stdout + done.stderr
    raise AssertionError(said)


def _attempts(arguments: Sequence[str]) -> list[Sequence[str]]:
    return [arguments] if "--offline" in arguments else [[*arguments, "--offline"], arguments]
