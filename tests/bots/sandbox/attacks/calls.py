# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that call what the kernel offers to few."""

from tests.bots.sandbox.attacks.attack import Attack, attack


def system_calls(parent: int) -> list[Attack]:
    """Return them."""
    return [
        attack(
            "namespaces",
            """
            for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000):
                if libc.unshare(flag) == 0: escaped(hex(flag))
            for flag in (0x10000000, 0x20000, 0x40000000):
                call(f"clone {flag:x}", 56, flag | 17, 0, 0, 0, 0)
            call("clone3", 435, ctypes.create_string_buffer(88), 88)
            tried("setns", lambda: 1 / 0 if libc.setns(os.open("/proc/self/ns/user", os.O_RDONLY), 0) < 0 else 1)
        """,
        ),
        attack(
            "mounts",
            """
            os.makedirs("/tmp/here", exist_ok=True)
            if libc.mount(b"none", b"/tmp/here", b"tmpfs", 0, None) == 0: escaped("tmpfs")
            if libc.mount(b"none", b"/", None, 32 | 4096, None) == 0: escaped("remount")
            if libc.mount(b"/usr", b"/tmp/here", None, 4096, None) == 0: escaped("bind")
            if libc.umount2(b"/usr", 2) == 0: escaped("umount")
            call("open_tree", 428, -100, b"/", 1)
            call("fsopen", 430, b"tmpfs", 0)
            call("mount_setattr", 442, -100, b"/", 0, ctypes.create_string_buffer(32), 32)
            call("pivot_root", 155, b"/tmp", b"/tmp/here")
            tried("chroot", lambda: os.chroot("/tmp"))
        """,
        ),
        attack(
            "tracing",
            """
            child = os.fork()
            if child == 0: time.sleep(5); os._exit(0)
            call("ptrace", 101, 16, child, 0, 0)
            call("process_vm_readv", 310, child, 0, 0, 0, 0, 0)
            call("pidfd_getfd", 438, os.pidfd_open(child), 0, 0)
            call("kcmp", 312, child, child, 0, 0, 0)
            os.kill(child, 9)
        """,
        ),
        attack(
            "signals to others",
            f"""
            for process in ({parent}, {parent} + 1, {parent} - 1):
                if process > 500: tried(process, lambda: os.kill(process, 0))
            if os.getpid() != 1:
                try: os.kill(-1, 0)
                except OSError: pass
        """,
        ),
        attack(
            "io_uring",
            """
            call("io_uring_setup", 425, 8, ctypes.create_string_buffer(120))
            call("io_uring_enter", 426, 0, 0, 0, 0, 0, 0)
        """,
        ),
        attack(
            "keyrings",
            """
            call("add_key", 248, b"user", b"name", b"secret", 6, -3)
            call("request_key", 249, b"user", b"name", 0, -3)
            call("keyctl", 250, 0, -3, 0, 0, 0)
        """,
        ),
        attack("BPF", 'call("bpf", 321, 0, ctypes.create_string_buffer(128), 128)'),
        attack("performance counters", 'call("perf_event_open", 298, ctypes.create_string_buffer(128), 0, -1, -1, 0)'),
        attack("page faults in user space", 'call("userfaultfd", 323, 0)'),
        attack(
            "modules and other kernels",
            """
            call("init_module", 175, b"", 0, b"")
            call("finit_module", 313, 0, b"", 0)
            call("kexec_load", 246, 0, 0, 0, 0)
            call("reboot", 169, 0xfee1dead, 672274793, 0, 0)
            call("swapon", 167, b"/tmp/x", 0)
        """,
        ),
        attack(
            "clock and names of the machine",
            """
            call("settimeofday", 164, ctypes.create_string_buffer(16), 0)
            call("clock_settime", 227, 0, ctypes.create_string_buffer(16))
            tried("hostname", lambda: socket.sethostname("mine"))
        """,
        ),
        attack(
            "file handles",
            """
            call("open_by_handle_at", 304, -100, ctypes.create_string_buffer(64), 0)
            room = ctypes.create_string_buffer(64)
            call("name_to_handle_at", 303, -100, b"/", room, ctypes.create_string_buffer(8), 0)
            call("fanotify_init", 300, 0, 0)
        """,
        ),
        attack(
            "ports and personality",
            """
            call("iopl", 172, 3)
            call("ioperm", 173, 0, 1, 1)
            call("personality", 135, 0x0040000)
            call("modify_ldt", 154, 1, ctypes.create_string_buffer(16), 16)
        """,
        ),
        attack(
            "calls newer than the filter",
            """
            for number in (457, 458, 463, 464, 470, 500, 548, 1000): call(number, number, 0, 0, 0, 0, 0, 0)
        """,
        ),
        attack(
            "calls of another architecture",
            """
            import mmap
            code = mmap.mmap(-1, 4096, prot=7)
            code.write(bytes.fromhex("b814000000cd80c3"))  # getpid by int 0x80
            address = ctypes.addressof(ctypes.c_char.from_buffer(code))
            result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
            escaped(f"int 0x80 answered {result}") if result > 0 else print("held", result)
        """,
        ),
        attack("calls of x32", 'call("x32", 0x40000000 + 39)'),
        attack(
            "capabilities",
            """
            status = open("/proc/self/status").read()
            for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
                if int(status.partition(name + ":")[2].split()[0], 16): escaped(name)
            if "NoNewPrivs:\\t1" not in status: escaped("new privileges")
            for action in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])): tried("root", action)
        """,
        ),
        attack(
            "terminal input",
            """
            import fcntl
            for descriptor in (0, 1, 2):
                tried("TIOCSTI", lambda: fcntl.ioctl(descriptor, 0x5412, b"x"))
            tried("tty", lambda: os.open("/dev/tty", os.O_RDWR))
        """,
        ),
    ]
