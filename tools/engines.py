# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that the chess engines are there that the tests play against, where Debian's or Ubuntu's packages can be
had.

python -m tools.engines
"""

import os
import shutil
import subprocess
import sys

ENGINES = ("stockfish", "gnuchess", "phalanx", "fairymax")
"""Packages and the programs in them: two that speak UCI, and two that speak xboard's protocol, one without setboard."""

_GAMES = "/usr/games"
"""Where Debian puts them; it need not be on the PATH."""


def installed(name: str) -> str | None:
    """Path of an engine, or None."""
    return shutil.which(name) or shutil.which(name, path=_GAMES)


def main() -> None:
    """Install what is missing; where that cannot be done, say so: the tests that need an engine are then left out."""
    missing = [name for name in ENGINES if installed(name) is None]
    if not missing:
        return
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(f"Engines are missing ({', '.join(missing)}): the tests that play against them are left out.")
        return
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *missing]
    for command in (["apt-get", "update", "-qq"], install):
        if subprocess.run(command, check=False, env=environment).returncode:
            print(f"Engines cannot be installed ({', '.join(missing)}): the tests that play against them are left out.")
            return


if __name__ == "__main__":
    main()
