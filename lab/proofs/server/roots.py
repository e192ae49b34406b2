# SPDX-License-Identifier: GPL-3.0-or-later
"""Root file systems made by Debian's own tools, and commands in them; and a reader of Containerfiles.

Commands run in mount and process namespaces of their own, so nothing of theirs stays on the machine. That needs root.
"""

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tools import debian

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""The authorities that this machine trusts; those of a new root file system may not know a proxy in between."""

TRUSTED = "/etc/authorities-of-the-machine.crt"
"""Where they are in a root file system: the package ca-certificates writes its own file anew."""

TRUSTING = ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO")
"""Variables that name the authorities to trust."""

PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_ENTER = """\
set -e
[ "$1" = / ] || mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
if [ "$1" != / ]; then
    mount --rbind /dev "$1/dev"
    mount --rbind /sys "$1/sys"
    cd "$1"
    pivot_root . .
    umount -l .
fi
status=0
chroot --userspec="$2" / /bin/sh -c "$3" || status=$?
exit $status
"""
"""The first process of the namespaces: it stays root's, and when it ends, the kernel ends all others. The kernel clears
the signal of ``unshare --kill-child`` in a process that changes its user. The root file system becomes that of the
namespace, since the kernel refuses sandboxes (user namespaces) to processes below a chroot."""


@dataclass
class Root:
    """A root file system."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"

    def run(self, command: str) -> str:
        """Run a shell command; return its output. Raises AssertionError if it fails."""
        done = subprocess.run(self._line(command), capture_output=True, text=True, check=False, env=self._environment())
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    @contextlib.contextmanager
    def running(self, command: str, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a shell command in the background, with a log of its output; at the end, kill all that it started."""
        with log.open("w", encoding="utf-8") as output:
            process = subprocess.Popen(self._line(command), stdout=output, stderr=output, env=self._environment())
        try:
            yield process
        finally:
            # the kernel reports the end of the namespace's first process when all others have ended
            for number in _children(process.pid) or [process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            process.wait()

    def take(self, source: Path, place: str) -> None:
        """Copy a file or the content of a folder of this machine to a place, which ends with "/" if it is a folder."""
        target = self.folder / place.lstrip("/")
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True)
            return
        if place.endswith("/"):
            target /= source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)

    def copy(self, folder: Path) -> "Root":
        """Return a copy of this root file system."""
        subprocess.run(["cp", "-a", "--reflink=auto", str(self.folder), str(folder)], check=True)
        return Root(folder)

    def _line(self, command: str) -> list[str]:
        namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        return [*namespaces, "/bin/sh", "-c", _ENTER, "sh", str(self.folder), self.user, command]

    def _environment(self) -> dict[str, str]:
        home = "/root" if self.user == "root" else _home(self.folder, self.user)
        given = {name: os.environ[name] for name in PROXIES if name in os.environ}
        trusted = dict.fromkeys(TRUSTING, TRUSTED) if CERTIFICATES.exists() else {}
        return {"PATH": PATH, "HOME": home, "LANG": "C.UTF-8", **given, **trusted, **self.environment}


def _children(number: int) -> list[int]:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return [int(word) for word in Path(f"/proc/{number}/task/{number}/children").read_text("ascii").split()]
    return []


def _home(folder: Path, user: str) -> str:
    for line in (folder / "etc/passwd").read_text(encoding="utf-8").splitlines():
        name, *_, home, _shell = line.split(":")
        if name == user:
            return home
    raise LookupError(f"there is no user {user}")


def bootstrap(folder: Path, suite: str) -> Root:
    """Make a minimal root file system of a suite by debootstrap, from the packages' source of this machine."""
    assert os.geteuid() == 0, "mounts need root"
    script = shutil.which("debootstrap") or shutil.which("debootstrap", path="/usr/sbin")
    environment = dict(os.environ)
    if script is None:
        debian.unpack("debootstrap")
        script = str(debian.UNPACKED / "usr/sbin/debootstrap")
        environment["DEBOOTSTRAP_DIR"] = str(debian.UNPACKED / "usr/share/debootstrap")
    command = [script, "--variant=minbase", suite, str(folder), _mirror(suite)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    root = Root(folder)
    places = {"/etc/resolv.conf": "/etc/resolv.conf", "/etc/hosts": "/etc/hosts", str(CERTIFICATES): TRUSTED}
    for name, place in places.items():
        if Path(name).exists():
            root.take(Path(name), place)
    return root


def _mirror(suite: str) -> str:
    """Return the address from which this machine gets the packages of a suite."""
    listing = ["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME)"]
    lines = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines()
    return next(site for site, name in (line.split() for line in lines) if name == suite)


class Step(NamedTuple):
    """One instruction of a Containerfile."""

    kind: str
    text: str


def steps(text: str) -> list[Step]:
    """Return the instructions of a Containerfile."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    whole = re.sub(r"\\\n", " ", "\n".join(lines))
    found = (line.strip().partition(" ") for line in whole.splitlines() if line.strip())
    return [Step(kind, rest.strip()) for kind, _, rest in found]


def build(base: Root, found: list[Step], context: Path) -> Mapping[str, list[str]]:
    """Run the steps of a Containerfile in a root file system, with the files of ``context``. Returns the commands of
    CMD and HEALTHCHECK. Raises ValueError for an unknown instruction.
    """
    commands: dict[str, list[str]] = {}
    for kind, text in found:
        match kind:
            case "FROM" | "VOLUME" | "EXPOSE":
                pass
            case "RUN":
                base.run(text)
            case "COPY":
                *sources, place = shlex.split(text)
                for source in sources:
                    base.take(context / source, place)
            case "USER":
                base.user = text
            case "ENV":
                base.environment |= dict(word.split("=", 1) for word in shlex.split(text))
            case "CMD":
                commands["CMD"] = json.loads(text)
            case "HEALTHCHECK":
                commands["HEALTHCHECK"] = json.loads(text[text.index("[") :])
            case _:
                raise ValueError(f"unknown instruction {kind}")
    return commands
