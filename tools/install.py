# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs uv with the index, certificates and proxy that pip is configured with.

uv reads neither pip.conf nor PIP_* variables. A machine that is set up for pip only shall still work, so
what pip knows is handed on in uv's own variables; those that are set already win.

    python -m tools.install pip sync requirements/dev.lock
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

# pip's option: the variable that uv reads, and what uv puts between several values
UV_VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "client-cert": ("SSL_CLIENT_CERT", " "),
    "proxy": ("ALL_PROXY", " "),
}


def pip_options(listing: str) -> dict[str, str]:
    """Option → value, from the output of `pip config list`; a variable wins over `[install]`, that over `[global]`."""
    ranked: dict[str, tuple[int, str]] = {}
    for line in listing.splitlines():
        name, _, value = line.partition("=")
        section, _, option = name.rpartition(".")
        rank = {"global": 1, "install": 2, ":env:": 3}.get(section, 0)
        if rank > ranked.get(option, (0, ""))[0]:
            ranked[option] = rank, str(ast.literal_eval(value))
    return {option: value for option, (_, value) in ranked.items()}


def uv_environment(options: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for uv: `environment`, and what pip's `options` add to it."""
    result = dict(environment)
    for option, (variable, separator) in UV_VARIABLES.items():
        if option in options:
            result.setdefault(variable, separator.join(options[option].split()))
    if options.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
        result.setdefault("UV_NO_INDEX", "1")
    # pip weighs all indexes alike; the hashes in the lock files make that safe.
    result.setdefault("UV_INDEX_STRATEGY", "unsafe-best-match")
    return result


def main() -> None:
    """Run uv with the arguments given, and leave with its exit status."""
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], check=True, capture_output=True, text=True
    ).stdout
    environment = uv_environment(pip_options(listing), os.environ)
    environment["PYTHONPATH"] = str(Path(__file__).with_name("elo_build"))
    environment["SETUPTOOLS_USE_DISTUTILS"] = "local"
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    sys.exit(subprocess.run([uv, *sys.argv[1:]], env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
