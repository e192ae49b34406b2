# SPDX-License-Identifier: GPL-3.0-or-later
"""The server starts processes while its threads fit ratings."""

import os
import subprocess
import sys

import pytest

DEADLINE = 120.0
"""Seconds."""

PROGRAM = """
import os
import threading

import arena.cli.serve
import numpy

equations = numpy.random.default_rng(0).random((600, 600))
solved = threading.Event()

def solve():
    for _ in range(20):
        numpy.linalg.solve(equations, equations[0])
    solved.set()

threading.Thread(target=solve, daemon=True).start()
while not solved.wait(0.002):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
"""
"""Forks, as the start of each process does, while a thread solves equations that are large enough for more threads."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_starts_while_a_thread_solves_equations() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, timeout=DEADLINE, env=environment)
