# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program in namespaces, behind Landlock and a filter of system calls, where there is no bubblewrap.

A program of its own: ``python -I -S launcher.py FILTER``. FILTER is the descriptor of a BPF program. The launcher
writes ``READY``, and waits for an order on its standard input (``bots.sandbox.order``); the rest of the input is the
program's.

Every start waits for it, so it imports little, and none of the modules that cost milliseconds (json, pathlib, signal,
socket, typing). The numbers are those of Linux's headers; since Linux 5.1 all architectures number new calls alike, so
only ``pivot_root`` needs a table.
"""

# pathlib costs milliseconds at each start
# ruff: noqa: PTH102, PTH103, PTH112, PTH120, PTH211

import ctypes
import marshal
import os
import resource
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots.sandbox.order import Order

PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
MOUNT_SETATTR = 442
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
AT_RECURSIVE = 0x8000
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
READ, EVERYTHING = 0b1101, 0xFFFF
"""Landlock's rights on files: execute, read, list; and all up to ABI 5."""
DEVICES = ("null", "zero", "full", "random", "urandom")
NOBODY = 65534
SIGKILL = 9
READY = b"ready\n"
FAILED = 125
"""Exit status where the sandbox cannot be made; what the launcher writes to its error output says why."""

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Run the program of the order; exit with its exit status."""
    filter_descriptor = int(sys.argv[1])
    program = os.read(filter_descriptor, 1 << 20)
    os.close(filter_descriptor)
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    os.write(1, READY)
    order = received()
    try:
        enter_namespaces(order)
        # before the child changes the root, which this process shares
        null = os.open("/dev/null", os.O_RDWR)
        child = os.fork()
        if child:
            relay(child, null)
        os.close(null)
        checked(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
        make_root(order)
        lower(order)
        restrict_files()
        os.chdir(order["home"])
        filter_calls(program)
        become_first()
        os.execvpe(order["command"][0], order["command"], order["environment"])
    except OSError as error:
        os.write(2, f"sandbox: {error}\n".encode())
        os._exit(FAILED)


def received() -> "Order":
    """Return the order; ends the process if none comes."""
    (length,) = struct.unpack("Q", exactly(8))
    order: Order = marshal.loads(exactly(length))
    return order


def exactly(count: int) -> bytes:
    """Read ``count`` bytes of the standard input and no more; ends the process if the input ends."""
    found = b""
    while len(found) < count:
        more = os.read(0, count - len(found))
        if not more:
            os._exit(0)
        found += more
    return found


def checked(result: int, call: str) -> int:
    """Return the result of a call. Raises OSError if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result


def relay(child: int, null: int) -> None:
    """Close the pipes, wait for the child, and exit with its exit status."""
    checked(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def become_first() -> None:
    """Stay the first process of the namespace, and return in a child.

    The kernel ignores signals to a first process that has no handler for them, so a program must not be the first. This
    process waits for all processes of the namespace, and ends as the program ends.
    """
    null = os.open("/dev/null", os.O_RDWR)
    child = os.fork()
    if not child:
        os.close(null)
        return
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def enter_namespaces(order: "Order") -> None:
    """Leave the namespaces of the machine; in a user namespace where no root runs this."""
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP
    user, group = os.geteuid(), os.getegid()
    if order["user"] is None:
        flags |= CLONE_NEWUSER
    checked(libc.unshare(flags), "unshare")
    if order["user"] is None:
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{NOBODY} {user} 1")
        write("/proc/self/gid_map", f"{NOBODY} {group} 1")
    checked(libc.sethostname(b"bot", 3), "sethostname")


def write(path: str, text: str) -> None:
    """Write to a file of the kernel's."""
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def touch(path: str) -> None:
    """Make an empty file, to mount another one over it."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount. Raises OSError."""
    texts = [None if text is None else text.encode() for text in (source, target, kind, data)]
    result = libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    checked(result, f"mount of {target}")


def make_root(order: "Order") -> None:
    """Make a root of what the program may see, and leave the machine's."""
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    base = "/tmp"
    mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    os.chdir(base)
    os.mkdir("old")
    pivot(".", "old")
    os.chdir("/")
    os.mkdir("new")
    mount("tmpfs", "/new", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=512,mode=755")
    for source, place in order["directories"]:
        show(source, f"/new{place}")
    for place in order["hidden"]:
        mount("tmpfs", f"/new{place}", "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=755")
    for content, place in order["links"]:
        if not os.path.lexists(f"/new{place}"):
            os.symlink(content, f"/new{place}")
    os.mkdir("/new/proc")
    mount("proc", "/new/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    make_devices(order)
    os.makedirs("/new/tmp", exist_ok=True)
    mount_memory("/new/tmp", order)
    libc.umount2(b"/old", MNT_DETACH)
    os.chdir("/new")
    pivot(".", ".")
    checked(libc.umount2(b".", MNT_DETACH), "umount")
    os.chdir("/")
    mount("none", "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def pivot(new: str, old: str) -> None:
    """Change the root directory."""
    number = PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(0, f"the sandbox does not know this processor ({os.uname().machine})")
    checked(libc.syscall(number, new.encode(), old.encode()), "pivot_root")


def show(source: str, place: str) -> None:
    """Show a file or directory of the machine read-only."""
    old = f"/old{source}"
    if os.path.isdir(old):
        os.makedirs(place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        touch(place)
    mount(old, place, None, MS_BIND | MS_REC)
    attributes = struct.pack("QQQQ", ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV, 0, 0, 0)
    result = libc.syscall(MOUNT_SETATTR, -100, place.encode(), AT_RECURSIVE, attributes, len(attributes))
    checked(result, f"mount_setattr of {place}")


def make_devices(order: "Order") -> None:
    """Fill /dev with what programs need."""
    os.mkdir("/new/dev")
    mount("tmpfs", "/new/dev", "tmpfs", MS_NOSUID, "size=64k,nr_inodes=64,mode=755")
    for name in DEVICES:
        touch(f"/new/dev/{name}")
        mount(f"/old/dev/{name}", f"/new/dev/{name}", None, MS_BIND)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"/new/dev/{name}")
    os.mkdir("/new/dev/shm")
    mount_memory("/new/dev/shm", order)
    mount("none", "/new/dev", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID)


def mount_memory(place: str, order: "Order") -> None:
    """Mount a directory in memory that everybody may write to."""
    size = f"size={order['temporary']},nr_inodes={order['inodes']},mode=1777"
    mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, size)


def lower(order: "Order") -> None:
    """Set the resource limits, and give up every right."""
    for name, number in order["limits"].items():
        resource.setrlimit(getattr(resource, name), (number, number))
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    if order["user"] is not None:
        os.setgroups([])
        os.setresgid(order["user"], order["user"], order["user"])
        os.setresuid(order["user"], order["user"], order["user"])
        # a change of user clears it
        checked(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
    header, none = struct.pack("Ii", 0x20080522, 0), struct.pack("IIIIII", 0, 0, 0, 0, 0, 0)
    checked(libc.capset(header, none), "capset")


def restrict_files() -> None:
    """Let Landlock forbid writing outside the temporary directories, the network, and signals to the outside."""
    abi = libc.syscall(LANDLOCK_CREATE, None, 0, 1)
    if abi < 1:
        return
    files = (1 << (13, 14, 15, 15, 16)[min(abi, 5) - 1]) - 1
    rules = struct.pack("QQQ", files, 0b11 if abi >= 4 else 0, 0b11 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = checked(libc.syscall(LANDLOCK_CREATE, rules, size, 0), "landlock_create_ruleset")
    permit(ruleset, "/", READ)
    for place in ("/tmp", "/dev/shm"):
        permit(ruleset, place, files)
    for name in DEVICES:
        permit(ruleset, f"/dev/{name}", 0b110)
    permit(ruleset, "/proc", 0b1110)
    checked(libc.syscall(LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def permit(ruleset: int, place: str, rights: int) -> None:
    """Permit rights below a place."""
    descriptor = os.open(place, os.O_PATH)
    rule = struct.pack("=Qi", rights, descriptor)
    checked(libc.syscall(LANDLOCK_ADD, ruleset, 1, rule, 0), f"landlock_add_rule of {place}")
    os.close(descriptor)


def filter_calls(program: bytes) -> None:
    """Let the kernel filter this process's system calls from now on."""
    instructions = ctypes.create_string_buffer(program, len(program))
    count = len(program) // 8
    pointer = ctypes.addressof(instructions)
    form = struct.pack("HxxxxxxP", count, pointer)
    checked(libc.prctl(PR_SET_SECCOMP, 2, form, 0, 0), "seccomp")


if __name__ == "__main__":
    main()
