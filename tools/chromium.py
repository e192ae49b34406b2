# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that a Chromium is there for the browser tests: the machine's own, Debian's unpacked, or Playwright's.

python -m tools.chromium
"""

import platform
import shutil
import subprocess
import sys

from tools import debian

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The headless shell comes first: the browser tests need a quarter less processor time with it."""


def installed() -> str | None:
    """Return the path of a Chromium; None where only Playwright can have one."""
    own = next(filter(None, map(shutil.which, NAMES)), None)
    unpacked = debian.installed(NAMES[0])
    return own or (str(unpacked) if unpacked else None)


def main() -> None:
    """Fetch a Chromium if there is none. Raises Unavailable, or CalledProcessError where Playwright cannot."""
    if installed():
        return
    # Ubuntu has apt-get too, but its chromium package is an empty one that wants snap.
    if sys.platform == "linux" and platform.freedesktop_os_release()["ID"] == "debian":
        debian.obtain(NAMES[0], NAMES[0], "fonts-dejavu-core")
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    main()
