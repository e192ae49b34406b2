# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that a Chromium is there for the browser tests: the machine's own, Debian's unpacked, or Playwright's; and
that Playwright's driver starts.

python -m tools.chromium
"""

import os
import platform
import shutil
import subprocess
import sys

from playwright._impl._driver import compute_driver_executable

from tools import debian

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The headless shell comes first: the browser tests need a quarter less processor time with it."""

LIBRARIES = debian.FOLDER / "libatomic"
"""Where the library is unpacked that Playwright's Node.js needs and a bare Debian lacks."""

DRIVER = debian.FOLDER / "playwright-node"
"""Script that starts Playwright's Node.js with this library."""

if DRIVER.exists():
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(DRIVER))


def installed() -> str | None:
    """Return the path of a Chromium; None where only Playwright can have one."""
    own = next(filter(None, map(shutil.which, NAMES)), None)
    unpacked = debian.installed(NAMES[0])
    return own or (str(unpacked) if unpacked else None)


def main() -> None:
    """Fetch what Playwright's driver lacks, and a Chromium if there is none. Raises Unavailable, or CalledProcessError
    where Playwright cannot.
    """
    _make_driver_start()
    if installed():
        return
    # Ubuntu has apt-get too, but its chromium package is an empty one that wants snap.
    if sys.platform == "linux" and platform.freedesktop_os_release()["ID"] == "debian":
        debian.obtain(NAMES[0], NAMES[0], "fonts-dejavu-core")
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def _make_driver_start() -> None:
    """Unpack the library that Playwright's Node.js lacks, if it lacks one. Raises Unavailable."""
    node, _ = compute_driver_executable()
    done = subprocess.run([node, "--version"], check=False, capture_output=True, text=True)
    if "libatomic.so.1" not in done.stderr:
        return
    debian.unpack("libatomic1", into=LIBRARIES)
    (library,) = LIBRARIES.glob("usr/lib/*/libatomic.so.1")
    DRIVER.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={library.parent}:$LD_LIBRARY_PATH exec {node} "$@"\n')
    DRIVER.chmod(0o755)


if __name__ == "__main__":
    main()
