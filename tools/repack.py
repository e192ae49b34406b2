# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a wheel of an installed pure-Python distribution.

    python -m tools.repack elo dist

`elo` is published as source only, and that builds with nothing but an old setuptools. Its wheel beside ours lets
any pip install both: `pip install dist/*.whl`.
"""

import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path


def repack(name: str, folder: Path) -> Path:
    """Write the wheel of the installed distribution `name` into `folder`; ValueError if it holds compiled code."""
    installed = distribution(name)
    wheel = installed.read_text("WHEEL") or ""
    tags = [line.removeprefix("Tag: ") for line in wheel.splitlines() if line.startswith("Tag: ")]
    if not tags or not tags[0].endswith("-none-any"):
        raise ValueError(f"{name} is not pure Python: {tags}")
    left_out = {"INSTALLER", "REQUESTED", "direct_url.json", "uv_build.json", "uv_cache.json"}
    record = [file for file in installed.files or () if file.name not in left_out and file.suffix != ".pyc"]
    path = folder / f"{installed.name}-{installed.version}-{tags[0]}.whl"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{file},{file.hash.mode}={file.hash.value},{file.size}" if file.hash else f"{file},," for file in record]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in record:
            content = "\n".join([*lines, ""]) if file.name == "RECORD" else file.read_binary()
            archive.writestr(zipfile.ZipInfo(str(file)), content)
    return path


if __name__ == "__main__":
    print(repack(sys.argv[1], Path(sys.argv[2])))
