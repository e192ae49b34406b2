# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes end with their parent, in whatever state a kill finds them."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.native import child
from tests.engine.native.parent import STATES

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("how", "state"),
    [
        *(("main", state) for state in (*STATES, "processes")),
        # the pipe alone: a thread of the child needs the interpreter's lock
        *(("thread", state) for state in STATES if state != "native-code"),
    ],
)
def test_a_child_ends_when_its_parent_is_killed(how: str, state: str) -> None:
    command = [sys.executable, "-m", "tests.engine.native.parent", how, state]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        word, pid = parent.stdout.readline().split()
        assert word == "in"
        try:
            parent.kill()
            # the child holds the other end of the pipe as long as it lives; it would for an hour
            assert parent.stdout.read() == ""
        except BaseException:
            # only now: the number of a process that has ended may be another's
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
            raise


def test_a_child_whose_parent_has_ended_already_does_nothing() -> None:
    read, write = os.pipe()
    os.close(write)
    command = [sys.executable, "-m", "engine.native.child", str(read), "-", "this"]
    try:
        done = subprocess.run(command, pass_fds=(read,), check=False, capture_output=True, text=True, cwd=ROOT)
    finally:
        os.close(read)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_a_child_runs_its_module_as_python_does() -> None:
    command = child.command("tests.engine.native.test_child", "one", "two")
    done = subprocess.run(command, pass_fds=child.pass_fds(), check=True, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "__main__ one two\n"


if __name__ == "__main__":
    print(__name__, *sys.argv[1:])
