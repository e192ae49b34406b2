# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox's filter of system calls, as a BPF program made by libseccomp.

Calls that reach beyond a process (namespaces, mounts, tracing, keys, BPF, performance counters, io_uring, raw sockets)
are refused, and so are calls newer than this list. Other architectures' calls end the process.
"""

import errno
import os
import socket
import tempfile
from functools import cache
from typing import Any

NOT_PERMITTED = (
    *("acct", "add_key", "bpf", "chroot", "clock_adjtime", "clock_settime", "adjtimex", "create_module"),
    *("delete_module", "fanotify_init", "finit_module", "init_module", "ioperm", "iopl", "kcmp", "kexec_file_load"),
    *("kexec_load", "keyctl", "lookup_dcookie", "mbind", "migrate_pages", "modify_ldt", "mount", "move_pages"),
    *("name_to_handle_at", "nfsservctl", "open_by_handle_at", "perf_event_open", "personality", "pivot_root"),
    *("process_vm_readv", "process_vm_writev", "ptrace", "quotactl", "quotactl_fd", "reboot", "request_key"),
    *("set_mempolicy", "setdomainname", "sethostname", "setns", "settimeofday", "stime", "swapoff", "swapon"),
    *("syslog", "umount", "umount2", "unshare", "uselib", "userfaultfd", "vhangup", "vm86", "vm86old"),
)
"""Calls that fail with EPERM."""
NOT_THERE = (
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "memfd_create", "memfd_secret"),
    *("mq_open", "mq_unlink", "msgget", "semget", "shmget", "pidfd_getfd", "process_madvise", "process_mrelease"),
    *("open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "set_mempolicy_home_node"),
)
"""Calls that fail with ENOSYS, so that libraries take another way. A file in memory and System V's shared memory would
count for no process, and the flags of ``clone3`` cannot be filtered."""
NEWEST_CALL, LARGEST_NUMBER = 424, 1024
"""From the first number on, all architectures number their calls alike; the second number is an upper bound for future
calls.
"""
NEW_BUT_ALLOWED = frozenset(
    (
        *(
            424,
            434,
            436,
            437,
            439,
            441,
        ),  # pidfd_send_signal, pidfd_open, close_range, openat2, faccessat2, epoll_pwait2
        *(444, 445, 446, 449, 451, 452),  # landlock (three), futex_waitv, cachestat, fchmodat2
        *(453, 454, 455, 456, 462),  # map_shadow_stack, futex (three), mseal
    )
)
NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x00000080)
"""Flags of ``clone`` that make a namespace: mount, cgroup, UTS, IPC, user, PID, network, time."""
HUGE_PAGES = 0x40000
"""Flag of ``mmap``."""
TERMINAL_INPUT = (0x5412, 0x541C)
"""Requests of ``ioctl`` that write into a terminal: TIOCSTI and TIOCLINUX."""


class NoFilter(Exception):
    """The filter cannot be made here; the message says why."""


@cache
def filter_program() -> bytes:
    """Return the filter as the kernel takes it. Raises NoFilter."""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise NoFilter(f"libseccomp cannot be loaded ({error})") from error
    made = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    try:
        _refuse(made, pyseccomp)
        with tempfile.TemporaryFile() as file:
            made.export_bpf(file)
            file.seek(0)
            return file.read()
    except OSError as error:
        raise NoFilter(f"libseccomp makes no filter ({error})") from error


def _refuse(made: Any, seccomp: Any) -> None:
    """Add the rules to a filter that allows every call."""
    no, absent, family = (seccomp.ERRNO(code) for code in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT))
    for action, names in ((no, NOT_PERMITTED), (absent, NOT_THERE)):
        for name in names:
            number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
            # negative: this architecture has no such call, or the library does not know it; newer ones follow below
            if 0 <= number < NEWEST_CALL:
                made.add_rule(action, number)
    for number in range(NEWEST_CALL, LARGEST_NUMBER):
        if number not in NEW_BUT_ALLOWED:
            made.add_rule(absent, number)
    for flag in NAMESPACES:
        made.add_rule(no, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
    for request in TERMINAL_INPUT:
        made.add_rule(no, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, request))
    made.add_rule(no, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, HUGE_PAGES, HUGE_PAGES))
    made.add_rule(family, "socket", seccomp.Arg(0, seccomp.NE, int(socket.AF_UNIX)))


def filter_file() -> int:
    """Return a new file descriptor from which the filter can be read once. Raises NoFilter."""
    program = filter_program()
    descriptor = os.memfd_create("filter", os.MFD_CLOEXEC)
    os.write(descriptor, program)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
