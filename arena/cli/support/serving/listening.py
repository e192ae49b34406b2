# SPDX-License-Identifier: GPL-3.0-or-later
"""The sockets that ``arena serve`` listens on: a TCP port and, if requested, a Unix socket."""

import argparse
import contextlib
import errno
import os
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.cli.support.command_line import CommandError

BACKLOG = 512
"""Backlog of the listening socket: after a restart all bots reconnect at once."""

HOST, PORT = "127.0.0.1", 8080

MODE = 0o660
"""Permissions of the Unix socket: its user and group may connect."""

TRIAL = 5.0
"""Seconds to wait for another server on a Unix socket; one that is too busy to accept within this time is alive."""


def add_addresses(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where a server listens."""
    parser.add_argument("--host", default=HOST, help="address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port",
        type=_port,
        help=f"port to listen on; 0: any free port (default: {PORT}; with --unix: any free port)",
    )
    parser.add_argument("--unix", type=Path, metavar="PATH", help="Unix socket to listen on as well as on the port")
    parser.add_argument(
        "--unix-mode", type=_mode, default=MODE, metavar="MODE", help="permissions of the Unix socket (default: 660)"
    )


def add_port(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the port of a server, for a command that examines it."""
    parser.add_argument("--host", default=HOST, help="address on which the server listens (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=PORT, help="port on which the server listens (default: %(default)s)"
    )


@contextlib.contextmanager
def listening(arguments: argparse.Namespace) -> Iterator[list[socket.socket]]:
    """Listen; give the TCP socket, and after it the Unix socket if there is one. Raises CommandError if that fails."""
    unix: Path | None = arguments.unix
    port = (PORT if unix is None else 0) if arguments.port is None else arguments.port
    with contextlib.ExitStack() as stack:
        every = [stack.enter_context(listen(arguments.host, port))]
        if unix is not None:
            every.append(stack.enter_context(listen_unix(unix, arguments.unix_mode)))
            stack.callback(_remove, unix, unix.stat())
        yield every


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises CommandError when listening fails, for example because the port is in use."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CommandError(f"cannot listen on {host}: {error}") from None
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            message = (
                f"port {port} is in use, perhaps by another arena; choose another with --port, or any free one with "
                "--port 0"
            )
            raise CommandError(message) from None
        raise CommandError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    return listener


def listen_unix(path: Path, mode: int = MODE) -> socket.socket:
    """Return a socket that listens at ``path``. It replaces the socket that a dead server left there.

    Raises CommandError when listening fails, for example because another server listens there.
    """
    if sys.platform == "win32":
        raise CommandError("--unix needs a system with Unix sockets")
    if reason := _taken(path):
        raise CommandError(f"cannot listen on {path}: {reason}")
    # the socket gets its permissions before its name, so nobody connects earlier; the new name replaces a stale socket
    new = path.with_name(f"{path.name}.{os.getpid()}")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        listener.bind(str(new))
        try:
            new.chmod(mode)
            listener.listen(BACKLOG)
            new.rename(path)
        except BaseException:
            new.unlink()
            raise
    except OSError as error:
        listener.close()
        raise CommandError(f"cannot listen on {path}: {error.strerror or error}") from None
    return listener


def _taken(path: Path) -> str:
    """Return why a Unix socket cannot be at ``path``; "" if it can."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return "" if path.parent.is_dir() else f"there is no folder {path.parent}"
    except OSError as error:
        return error.strerror or str(error)
    if not stat.S_ISSOCK(found.st_mode):
        return "it exists and is not a socket"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        trial.settimeout(TRIAL)
        try:
            trial.connect(str(path))
        except ConnectionRefusedError:
            return ""  # its server is dead
        except TimeoutError:
            pass
        except OSError as error:
            return error.strerror or str(error)
    return "another program listens there; stop it, or choose another path with --unix"


def _remove(path: Path, own: os.stat_result) -> None:
    """Remove the Unix socket of this server; another server may have replaced it since."""
    with contextlib.suppress(OSError):
        found = path.stat()
        if (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino):
            path.unlink()


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else -1
    if not 0 <= port < 65_536:
        raise argparse.ArgumentTypeError("a port must be a number from 0 to 65535")
    return port


def _mode(text: str) -> int:
    try:
        mode = int(text, 8)
    except ValueError:
        mode = -1
    if not 0 <= mode <= 0o777:
        raise argparse.ArgumentTypeError("permissions must be an octal number from 0 to 777, such as 660")
    return mode


def address_of(listener: socket.socket) -> str:
    """Return the listening address in the form of a URL that works on this machine."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # everywhere, hence here as well
        host = "localhost"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
