# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers to be measured beside us: fetched or compiled by whoever needs them, into a folder that git ignores."""

import resource
import shutil
import subprocess
import sys
from pathlib import Path

from tests.bench.lines import Skipped

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench"
LOCK = ROOT / "requirements" / "bench.lock"

DEBIAN = FOLDER / "debian"
"""What Debian's packages hold, from its root on."""
PLACES = (Path("/usr/games"), DEBIAN / "usr" / "games")
"""Debian puts games where the search path often does not lead."""


def python() -> Path:
    """Return a Python that has the peers' packages. Raises Skipped where they cannot be installed."""
    executable, stamp = FOLDER / "bin" / "python", FOLDER / "installed.lock"
    if stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return executable
    install = [sys.executable, "-m", "tools.install", "pip", "install", "--quiet", "--python", str(executable)]
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(FOLDER)],
        [*install, "--require-hashes", "--requirements", str(LOCK)],
    ):
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"the peers' packages cannot be installed: {done.stderr.strip()[-200:]}")
    shutil.copyfile(LOCK, stamp)
    return executable


def debian(package: str, *libraries: str) -> Path:
    """Return the program that a package of Debian is named after: this machine's own, or else unpacked here.

    ``libraries``: the packages it needs that not every machine has. Raises Skipped where it cannot be had.
    """
    found = installed(package)
    if found is None:
        _unpack(package, *libraries)
        found = installed(package)
    if found is None:
        raise Skipped(f"the package {package} holds no program of this name")
    return found


def installed(program: str) -> Path | None:
    """Return the program of this name, if there is one."""
    paths = [shutil.which(program), *(shutil.which(program, path=str(place)) for place in PLACES)]
    return next((Path(path) for path in paths if path), None)


def _unpack(*packages: str) -> None:
    """Fetch packages and unpack them into DEBIAN, which needs no rights and leaves the machine as it is."""
    if not (apt := shutil.which("apt-get")):
        raise Skipped(f"there is neither a program {packages[0]} nor Debian's apt-get to fetch it")
    archives = DEBIAN / "archives"
    for folder in (archives, archives / "lists"):
        (folder / "partial").mkdir(parents=True, exist_ok=True)
    lists = ["-o", f"Dir::State::Lists={archives / 'lists'}", "-o", f"Dir::Cache={archives}"]
    fetch = [apt, "-qq", "download", *packages]
    done = subprocess.run(fetch, cwd=archives, check=False, capture_output=True, text=True)
    if done.returncode:  # machines made of an image often know of no packages
        subprocess.run([apt, "-qq", *lists, "update"], check=False, capture_output=True)
        done = subprocess.run([*fetch, *lists], cwd=archives, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"{packages[0]} cannot be fetched: {done.stderr.strip()[-200:]}")
    for archive in archives.glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", str(archive), str(DEBIAN)], check=True)
        archive.unlink()


def environment() -> dict[str, str]:
    """Return what unpacked programs need to find their libraries."""
    folders = sorted({str(path.parent) for path in DEBIAN.glob("usr/lib/**/*.so*")})
    return {"LD_LIBRARY_PATH": ":".join(folders)} if folders else {}


def compiled(source: Path) -> Path:
    """Return the program that a C compiler makes of a file. Raises Skipped where there is none."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise Skipped("there is no C compiler")
    FOLDER.mkdir(exist_ok=True)
    program = FOLDER / source.stem
    command = [compiler, "-O3", "-march=native", "-o", str(program), str(source)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"{source.name} cannot be compiled: {done.stderr.strip()[-200:]}")
    return program


def output(command: list[str]) -> str:
    """Run a command and return what it printed. Raises Skipped when it fails."""
    return timed(command)[0]


def timed(command: list[str], told: str = "") -> tuple[str, float]:
    """Run a command that is told something; return what it printed, and the seconds of CPU it took.

    Raises Skipped when it fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, input=told)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise Skipped(f"{Path(command[-1]).name} failed: {done.stderr.strip()[-200:]}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
