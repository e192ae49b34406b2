# SPDX-License-Identifier: GPL-3.0-or-later
"""The watchdog looks at a process while its root changes, as it does when a sandbox is made."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bots.sandbox.watchdog import measured

LOOKS = 3000
"""So many that hundreds of them meet a change."""

CHANGING = """
import os, sys
outside = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
print(flush=True)
while True:
    os.chroot(sys.argv[1])
    os.fchdir(outside)
    os.chroot(".")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux")
@pytest.mark.skipif(sys.platform == "linux" and os.geteuid() != 0, reason="only root changes the root of a process")
def test_files_of_the_machine_never_count_as_those_of_a_program() -> None:
    memory = Path("/dev/shm")
    if memory.stat().st_dev == Path("/tmp").stat().st_dev:
        pytest.skip("/tmp and /dev/shm are one file system")
    with tempfile.TemporaryDirectory(dir=memory) as inside:
        Path(inside, "tmp").mkdir()
        filling = os.statvfs(inside)
        own = filling.f_files - filling.f_ffree
        command = [sys.executable, "-c", CHANGING, inside]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            try:
                assert process.stdout is not None
                process.stdout.readline()
                seen: set[int] = set()
                looks = 0
                # at least one on each side of a change
                while looks < LOOKS or len(seen) < 2:
                    seen.add(measured(process.pid, add_memory=False)[1])
                    looks += 1
            finally:
                process.kill()
    # other programs may make files in memory meanwhile
    assert max(seen) < own + 1000
