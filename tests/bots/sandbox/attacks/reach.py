# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that reach for files, other processes and the network."""

from tests.bots.sandbox.attacks.attack import Attack, attack


def reading(outside: str, parent: int) -> list[Attack]:
    """Return them."""
    return [
        attack(
            "files of the machine",
            f"""
            for path in ({outside!r} + "/secret", "/etc/passwd", "/etc/shadow", "/etc/hostname", "/var/log", "/home"):
                tried(path, lambda: os.listdir(path) if os.path.isdir(path) else read(path))
        """,
        ),
        attack(
            "the environment",
            """
            for name, value in os.environ.items():
                if "token" in value or "TOKEN" in name: escaped(name)
        """,
        ),
        attack(
            "environments of other processes",
            f"""
            for process in filter(str.isdigit, os.listdir("/proc")):
                try: text = read(f"/proc/{{process}}/environ") + read(f"/proc/{{process}}/cmdline")
                except OSError: continue
                if b"pytest" in text or b"token" in text: escaped(process)
            tried("parent", lambda: os.stat("/proc/{parent}") if {parent} > 200 else 1 / 0)
        """,
        ),
        attack(
            "roots of other processes",
            f"""
            for process in filter(str.isdigit, os.listdir("/proc")):
                for what in ("root", "cwd"):
                    try:
                        if os.path.exists(f"/proc/{{process}}/{{what}}{outside}/secret"): escaped(process)
                    except OSError: pass
        """,
        ),
        attack(
            "memory of the machine",
            """
            for path in ("/proc/kcore", "/dev/mem", "/dev/kmem", "/proc/kmsg", "/dev/kmsg", "/proc/1/mem"):
                tried(path, lambda: read(path))
        """,
        ),
        attack(
            "addresses of the kernel",
            """
            try:
                if any(int(line.split()[0], 16) for line in open("/proc/kallsyms")): escaped("kallsyms")
            except OSError: pass
            tried("dmesg", lambda: 1 / 0 if libc.klogctl(3, ctypes.create_string_buffer(100), 100) < 0 else 1)
        """,
        ),
        attack(
            "devices",
            """
            for name in ("sda", "vda", "nvme0n1", "loop0", "kvm", "fuse", "net/tun", "mapper/control"):
                tried(name, lambda: os.open("/dev/" + name, os.O_RDONLY))
            tried("mknod", lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)))
        """,
        ),
        attack(
            "open descriptors",
            """
            for number in os.listdir("/proc/self/fd"):
                try: target = os.readlink(f"/proc/self/fd/{number}")
                except OSError: continue
                if int(number) > 2 and not target.startswith("/proc"): escaped(target)
        """,
        ),
        attack(
            "files of the system",
            """
            for path in ("/usr/bin/python3", "/bin/sh", "/bot/program.py", "/etc/ld.so.cache"):
                tried(path, lambda: open(path, "r+b"))
            for path in ("/usr/x", "/bot/x", "/x", "/etc/x", "/dev/x", "/proc/x"):
                tried(path, lambda: open(path, "wb"))
        """,
        ),
    ]


def network() -> list[Attack]:
    """Return them."""
    return [
        attack(
            "sockets of the network",
            """
            for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, 40, 38, 16):
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                    tried(f"{family} {kind}", lambda: socket.socket(family, kind))
        """,
        ),
        attack(
            "connections",
            """
            for address in (("127.0.0.1", 22), ("169.254.169.254", 80), ("::1", 80)):
                tried(address, lambda: socket.create_connection(address, 1))
        """,
        ),
        attack(
            "names",
            """
            tried("DNS", lambda: socket.gethostbyname("localhost.localdomain"))
            tried("hosts", lambda: socket.getaddrinfo("example.org", 80))
        """,
        ),
        attack(
            "abstract sockets",
            """
            neighbour = socket.socket(socket.AF_UNIX)
            tried("abstract", lambda: neighbour.connect(chr(0) + "bot-arena-test"))
        """,
        ),
        attack(
            "sockets of the machine",
            """
            for path in ("/run/docker.sock", "/var/run/dbus/system_bus_socket", "/run/systemd/private"):
                other = socket.socket(socket.AF_UNIX)
                tried(path, lambda: other.connect(path))
        """,
        ),
        attack(
            "interfaces",
            """
            names = os.listdir("/sys/class/net") if os.path.exists("/sys/class/net") else []
            if set(names) - {"lo"}: escaped(names)
            lines = open("/proc/net/dev").read().splitlines()[2:]
            if [line for line in lines if not line.strip().startswith("lo:")]: escaped(lines)
        """,
        ),
    ]


def files(outside: str) -> list[Attack]:
    """Return them."""
    return [
        attack(
            "settings of the kernel",
            """
            for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger"):
                tried(path, lambda: os.open(path, os.O_WRONLY))
            tried("oom", lambda: open("/proc/self/oom_score_adj", "w").write("-1000") and 1 / 0)
        """,
        ),
        attack(
            "control groups",
            """
            for root in ("/sys/fs/cgroup", "/proc/1/cgroup"):
                if os.path.isdir(root): tried(root, lambda: os.mkdir(root + "/mine"))
        """,
        ),
        attack(
            "symbolic links to the outside",
            f"""
            os.symlink({outside!r} + "/secret", "/tmp/link")
            tried("link", lambda: read("/tmp/link"))
            os.symlink("/proc/1/" + "root{outside}/secret", "/tmp/link2")
            tried("link2", lambda: read("/tmp/link2"))
            tried("dots", lambda: read("/bot/../../../../../../{outside}/secret"))
        """,
        ),
        attack(
            "hard links",
            """
            for path in ("/bin/sh", "/bot/program.py", "/usr/bin/env"):
                tried(path, lambda: os.link(path, "/tmp/hard"))
        """,
        ),
        attack(
            "set user id",
            """
            import shutil
            shutil.copy("/bin/sh", "/tmp/shell"); os.chmod("/tmp/shell", 0o6755)
            def run(*command): return subprocess.run(command, capture_output=True, text=True, stdin=-3).stdout.split()
            answer = run("/tmp/shell", "-pc", "id -u; id -ru")
            if "0" in answer: escaped(answer)
            for path in ("/usr/bin/su", "/usr/bin/sudo", "/usr/bin/newgrp", "/usr/bin/passwd"):
                if os.path.exists(path):
                    if "0" in run(path, "-c", "id -u"): escaped(path)
        """,
        ),
        attack(
            "tricks of Python's start",
            """
            for path in ("/tmp/sitecustomize.py", "/tmp/usercustomize.py"): open(path, "w").write("raise SystemExit(9)")
            tried("site", lambda: open(os.path.join(os.path.dirname(os.__file__), "sitecustomize.py"), "w"))
        """,
        ),
        attack(
            "another bot's compiled code",
            """
            for path in (os.path.expanduser("~/.cache"), "/" + "root" + "/.cache", "/var/cache"):
                for name in ("bot-arena", "numba"):
                    try: found = os.listdir(f"{path}/{name}")
                    except OSError: continue
                    escaped(found)
        """,
        ),
        attack(
            "traces for the next match",
            """
            for place in ("/tmp", "/dev/shm"):
                if os.path.exists(place + "/trace"): escaped("a trace of the last one")
                open(place + "/trace", "w").write("x")
        """,
        ),
        attack(
            "deep directories",
            """
            try:
                for _ in range(100_000): os.mkdir("d"); os.chdir("d")
            except OSError: pass
            os.chdir("/tmp")
            made = 0
            try:
                while made < 100_000: os.mkdir("d"); os.chdir("d"); made += 1
            except OSError: pass
            # a busy machine may look at the files late, but then it ends the program
            if made >= 100_000: time.sleep(3600)
        """,
        ),
    ]
