# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of Debian's and Ubuntu's packages, unpacked into this checkout: it takes no rights, and the machine stays
as it is.

The packages' archives are fetched by apt-get, with all that they depend on and the machine lacks. Each program gets a
small script in ``BIN`` that names the libraries and data beside it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".tools"
BIN = FOLDER / "bin"
"""One script a program."""
UNPACKED = FOLDER / "debian"
"""What the packages hold, from the root on."""

SYSTEM = "/usr/games:/usr/sbin"
"""Debian puts games and servers where the search path often does not lead."""

PLACES = ("usr/games", "usr/bin", "usr/sbin", "usr/lib/chromium")
"""Where programs stand in packages; Chromium's own, as the script in usr/bin expects it in the system."""

ARGUMENTS = {"fairymax": "17 {}/usr/share/games/fairymax/fmax.ini"}
"""Variables that a program needs to find its data there."""

_SCRIPT = """\
#!/bin/sh
LD_LIBRARY_PATH={libraries}:$LD_LIBRARY_PATH FONTCONFIG_FILE={fonts} exec {program} {arguments} "$@"
"""

_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir>{unpacked}/usr/share/fonts</dir>
  <cachedir>{unpacked}/var/cache/fontconfig</cachedir>
</fontconfig>
"""


class Unavailable(Exception):
    """The program cannot be had here; the message says why."""


def installed(name: str) -> Path | None:
    """Return the machine's own program of this name, or the one unpacked here; None where there is neither."""
    found = shutil.which(name) or shutil.which(name, path=SYSTEM) or shutil.which(name, path=str(BIN))
    return Path(found) if found else None


def obtain(name: str, *packages: str) -> Path:
    """Return a program, unpacked from these packages where there is none yet. Raises Unavailable."""
    found = installed(name)
    if found is None:
        unpack(*packages)
        found = _script(name)
    return found


def unpack(*packages: str, into: Path = UNPACKED) -> None:
    """Fetch packages and their dependencies, and unpack them into a folder. Raises Unavailable."""
    apt = shutil.which("apt-get")
    if sys.platform != "linux" or apt is None:
        raise Unavailable("it is not installed, and there is no apt-get to fetch its package with")
    archives = FOLDER / "archives"
    for folder in (archives, archives / "lists"):
        (folder / "partial").mkdir(parents=True, exist_ok=True)
    own = ["-o", "Debug::NoLocking=1", "-o", f"Dir::Cache::Archives={archives}"]
    own += ["-o", f"Dir::Cache::pkgcache={archives}/pkgcache", "-o", f"Dir::Cache::srcpkgcache={archives}/srcpkgcache"]
    fetch = ["install", "--download-only", "-qq", "-y", "--no-install-recommends", *packages]
    done = _run([apt, *own, *fetch])
    if done.returncode:  # machines made of an image often know of no packages, or of old ones
        own += ["-o", f"Dir::State::Lists={archives / 'lists'}"]
        _run([apt, *own, "update", "-qq"])
        done = _run([apt, *own, *fetch])
    if done.returncode:
        raise Unavailable(f"its package cannot be fetched: {done.stderr.strip()[-200:]}")
    for archive in archives.glob("*.deb"):
        if _run(["dpkg-deb", "--extract", str(archive), str(into)]).returncode:
            raise Unavailable(f"{archive.name} cannot be unpacked")
    shutil.rmtree(archives)


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)


def _script(name: str) -> Path:
    """Write the script that starts an unpacked program. Raises Unavailable where it is not among what was unpacked."""
    places = [UNPACKED / place / name for place in reversed(PLACES)]
    program = next((place for place in places if place.is_file()), None)
    if program is None:
        raise Unavailable("its package holds no program of that name")
    libraries = sorted({str(path.parent) for path in UNPACKED.glob("usr/lib/**/*.so*")})
    libraries += sorted({str(path.parent) for path in UNPACKED.glob("lib/**/*.so*")})
    (UNPACKED / "fonts.conf").write_text(_FONTS.format(unpacked=UNPACKED))
    BIN.mkdir(parents=True, exist_ok=True)
    script = BIN / name
    script.write_text(
        _SCRIPT.format(
            libraries=":".join(libraries),
            fonts=UNPACKED / "fonts.conf",
            program=program,
            arguments=ARGUMENTS.get(name, "").format(UNPACKED),
        )
    )
    script.chmod(0o755)
    return script
