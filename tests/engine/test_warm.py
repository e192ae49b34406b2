# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that compiles rules for somebody else."""

import subprocess

from engine.warm import command


def test_who_is_left_alone_goes_on_in_silence() -> None:
    with subprocess.Popen(command(["nim", "tictactoe"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
