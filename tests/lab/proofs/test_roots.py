# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands in root file systems; the machine's own stands in for a new one."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.proofs.server.roots import Root, Step, build, steps


def namespaces() -> bool:
    """Return whether this user may make namespaces and change its root, as in few containers."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    trial = ("unshare", "--mount", "--pid", "--fork", "/bin/sh", "-c", "mount -t proc proc /proc && chroot / true")
    return subprocess.run(trial, capture_output=True, check=False).returncode == 0


needs_namespaces = pytest.mark.skipif(not namespaces(), reason="only root can mount and change its root")


def running(words: str) -> bool:
    """Return whether a process has these words in its command."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if words in entry.read_bytes().replace(b"\0", b" ").decode():
                return True
    return False


@needs_namespaces
@pytest.mark.parametrize("user", ["root", "nobody"])
def test_all_that_a_command_started_ends_with_it(user: str, tmp_path: Path) -> None:
    root, log = Root(Path("/"), user=user), tmp_path / "log"
    sleep = f"sleep {100_000_000 + os.getpid()}"  # which no other process has
    # a grandchild in a session of its own, which ignores the signals of terminals
    with root.running(f"setsid nohup {sleep}.5 & echo ready; exec {sleep}", log) as process:
        deadline = time.monotonic() + 600
        while "ready" not in log.read_text("utf-8") or not running(f"{sleep}.5"):
            assert process.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < deadline, log.read_text("utf-8")
            time.sleep(0.05)
    assert not running(sleep)


@needs_namespaces
def test_a_failed_command_is_reported(tmp_path: Path) -> None:
    root = Root(Path("/"))
    root.run("true")
    with pytest.raises(AssertionError, match="no such place"):
        root.run("echo no such place >&2; exit 3")


def test_a_containerfile_is_read() -> None:
    text = '# about\nFROM debian:bookworm-slim\n\nRUN one \\\n    && two\nCMD ["a", "b c"]\n'
    assert steps(text) == [
        Step("FROM", "debian:bookworm-slim"),
        Step("RUN", "one      && two"),
        Step("CMD", '["a", "b c"]'),
    ]


def test_an_unknown_instruction_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown instruction ONBUILD"):
        build(Root(tmp_path), [Step("ONBUILD", "RUN true")], tmp_path)


def test_files_users_and_variables_of_a_containerfile_are_taken(tmp_path: Path) -> None:
    context, folder = tmp_path / "context", tmp_path / "root"
    (context / "inside").mkdir(parents=True)
    (context / "inside" / "one").write_text("1", encoding="utf-8")
    (context / "two").write_text("2", encoding="utf-8")
    root = Root(folder)
    text = (
        'COPY two /src/\nCOPY inside /src/inside\nUSER arena\nENV A=1 B="2 3"\nHEALTHCHECK --start-period=60s CMD ["x"]'
    )
    assert build(root, steps(text), context) == {"HEALTHCHECK": ["x"]}
    assert (folder / "src" / "two").read_text(encoding="utf-8") == "2"
    assert (folder / "src" / "inside" / "one").read_text(encoding="utf-8") == "1"
    assert (root.user, root.environment) == ("arena", {"A": "1", "B": "2 3"})
