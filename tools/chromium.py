# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that a Chromium is there for the browser tests: the system's own, Debian's, or Playwright's.

python -m tools.chromium
"""

import os
import platform
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed() -> str | None:
    """Path of the system's Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def main() -> None:
    """Install a Chromium if there is none; subprocess.CalledProcessError if that fails."""
    if installed():
        return
    # Ubuntu has apt-get too, but its chromium package is an empty one that wants snap.
    if sys.platform == "linux" and os.geteuid() == 0 and platform.freedesktop_os_release()["ID"] == "debian":
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
        packages = ["chromium", "fonts-dejavu-core"]
        command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages]
        subprocess.run(command, check=True, env=environment)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    main()
