# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that use up the machine: processes, memory, disk, output."""

from tests.bots.sandbox.attacks.attack import Attack, attack


def resources() -> list[Attack]:
    """Return them."""
    return [
        attack(
            "fork bomb",
            """
            made = 0
            while True:
                try:
                    if os.fork() == 0: time.sleep(1000)
                    made += 1
                except OSError: break
            if made > 20: escaped(made)
        """,
        ),
        attack(
            "fork bomb that forks on",
            """
            os.fork(); os.fork()
            until = time.monotonic() + 2
            while time.monotonic() < until:
                try: os.fork()
                except OSError: pass
        """,
        ),
        attack(
            "thread bomb",
            """
            made = 0
            try:
                while made < 500:
                    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start(); made += 1
            except RuntimeError: pass
            if made > 20: escaped(made)
            os._exit(0)
        """,
        ),
        attack(
            "memory bomb",
            """
            held = []
            while True: held.append(bytearray(os.urandom(1 << 20)) * 4)
            escaped("all of it")
        """,
        ),
        attack(
            "memory bomb in many processes",
            """
            try:
                for _ in range(8): os.fork()
            except OSError: pass
            held = bytearray(b'x') * (100 << 20)
            time.sleep(5)
        """,
        ),
        attack(
            "memory bomb by mmap",
            """
            import mmap
            size = 4 << 30
            held = mmap.mmap(-1, size)
            for place in range(0, size, 4096): held[place] = 1
            escaped("4 GiB")
        """,
        ),
        attack(
            "memory in a file without a name",
            """
            call("memfd_create", 319, b"x", 0)
            tried("memfd", lambda: os.memfd_create("x"))
        """,
        ),
        attack(
            "huge pages",
            """
            import mmap
            tried("MAP_HUGETLB", lambda: mmap.mmap(-1, 1 << 21, flags=0x22 | 0x40000))
        """,
        ),
        attack(
            "locked memory",
            """
            held = ctypes.create_string_buffer(1 << 20)
            if libc.mlock(held, 1 << 20) == 0: escaped("mlock")
        """,
        ),
        attack(
            "shared memory of System V",
            """
            call("shmget", 29, 0, 1 << 30, 0o1600)
            call("msgget", 68, 0, 0o1600)
            call("semget", 64, 0, 1, 0o1600)
        """,
        ),
        attack(
            "disk filler",
            """
            written = 0
            for number in range(1000):
                try:
                    with open(f"/tmp/{number}", "wb") as file: written += file.write(b"x" * (1 << 20)); file.flush()
                except OSError: break
            if written > 32 << 20: escaped(written)
        """,
        ),
        attack(
            "one large file",
            """
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            with open("/tmp/large", "wb", 0) as file: tried("truncate", lambda: file.truncate(1 << 30))
        """,
        ),
        attack(
            "filler of shared memory",
            """
            written = 0
            for number in range(1000):
                try:
                    with open(f"/dev/shm/{number}", "wb") as file: written += file.write(b"x" * (1 << 20)); file.flush()
                except OSError: break
            if written > 32 << 20: escaped(written)
        """,
        ),
        attack(
            "inode filler",
            """
            made = 0
            try:
                while made < 200_000: os.close(os.open(f"/tmp/{made}", os.O_CREAT)); made += 1
            except OSError: pass
            if made >= 200_000: escaped(made)
        """,
        ),
        attack(
            "open files",
            """
            held = []
            try:
                while True: held.append(open("/dev/null"))
            except OSError: pass
            if len(held) > 64: escaped(len(held))
        """,
        ),
        attack("endless loop", "while True: pass", ends=False),
        attack("sleeper", "time.sleep(10_000)", ends=False),
        attack(
            "loop that ignores signals",
            """
            import signal
            for number in range(1, 65):
                try: signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError): pass
            print("ready", flush=True)
            while True: pass
        """,
            ends=False,
        ),
        attack(
            "children that outlive it",
            """
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0: time.sleep(10_000)
                os._exit(0)
            print("done", flush=True)
        """,
        ),
        attack(
            "higher limits",
            """
            for name in ("NPROC", "NOFILE", "FSIZE", "CORE", "MEMLOCK"):
                kind = getattr(resource, "RLIMIT_" + name)
                hard = resource.getrlimit(kind)[1]
                tried(name, lambda: resource.setrlimit(kind, (hard + 1, hard + 1)))
        """,
        ),
        attack(
            "priority",
            """
            tried("nice", lambda: os.nice(-5))
            tried("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10)))
        """,
        ),
    ]


def streams() -> list[Attack]:
    """Return them."""
    return [
        attack(
            "flood of output",
            """
            while True: os.write(1, b"x" * (1 << 16) + b"\\n")
        """,
            ends=False,
        ),
        attack(
            "line without end",
            """
            while True: os.write(1, b"x" * (1 << 16))
        """,
            ends=False,
        ),
        attack(
            "flood of error output",
            """
            until = time.monotonic() + 1
            while time.monotonic() < until: os.write(2, b"x" * (1 << 16))
        """,
        ),
        attack("control sequences", 'os.write(2, b"\\x1b]0;owned\\x07\\x1b[2J\\x1b[31m" * 10)'),
        attack("closed output", "os.close(1); time.sleep(10_000)", ends=False),
        attack("input that it never reads", "time.sleep(10_000)", ends=False),
        attack("crash", "os.abort()"),
        attack("signals to itself", "os.kill(os.getpid(), 11); time.sleep(1)"),
    ]
