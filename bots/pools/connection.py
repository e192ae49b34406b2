# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection with a Ray cluster: a Ray of our own on this machine, or a running cluster by its address.

Any program that reaches a Ray cluster can run code on it. So a Ray of our own listens on loopback only, and both kinds
need a token: ours is drawn for each run; a running cluster must be started with RAY_AUTH_MODE=token. Ray's dashboard is
off, and so are its usage statistics. This is the only module that imports Ray, besides what nodes run.
"""

import contextlib
import logging
import os
import secrets
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bots.pools import probe
from bots.pools.pool import PoolFailed

MEMORY = 100 * 2**20
"""Bytes of the object store of a Ray of our own; pieces and results are small."""

REACHED = 5.0
"""Seconds in which a cluster must accept a connection."""

STARTS = 3
"""Attempts to start a Ray of our own, whose processes may be late on a busy machine."""

EXAMINED = 60.0
"""Seconds in which nodes must answer with their versions."""

INSTALL = "pip install 'bot-arena[ray]'"

_ENVIRONMENT = {
    "RAY_AUTH_MODE": "token",
    "RAY_USAGE_STATS_ENABLED": "0",
    # otherwise workers of a Ray of our own give way to all other processes, which plain workers do not
    "RAY_worker_niceness": "0",
    # otherwise Ray warns of a default that will change
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    # a connection fails after 5 s + 5 s + 5 s
    "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "5",
}

_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Makes Ray use 127.0.0.1 as the address of this machine, as it always does on macOS and Windows."""


class Node(NamedTuple):
    """A machine of the cluster."""

    key: str
    """Ray's identifier."""
    name: str
    """For people."""
    processors: int


class RemoteTask:
    """A function that runs on any node, or on a given one."""

    def __init__(self, ray: ModuleType, function: Callable[..., Any]) -> None:
        self._task = ray.remote(num_cpus=1, max_retries=0)(function)

    def remote(self, *arguments: Any) -> Any:
        """Start it on any node; return Ray's reference to the result."""
        return self._task.remote(*arguments)

    def on(self, node: str) -> Any:
        """Return the function for one node."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return self._task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False))


class Connection:
    """A connected cluster; close it."""

    def __init__(self, ray: ModuleType, *, elsewhere: bool, folder: str | None) -> None:
        self._ray = ray
        self.elsewhere = elsewhere
        """Whether the cluster may have other machines than this one."""
        self._folder = folder
        errors = ray.exceptions
        self.lost = (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError, errors.ObjectLostError)
        """What is raised when a worker or a node died; the pieces can be computed again."""
        self.crashed = (errors.WorkerCrashedError, errors.OutOfMemoryError)
        """Those for which a piece may be the cause."""

    def nodes(self) -> list[Node]:
        """Return the living nodes with processors."""
        found = [node for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
        hosts = [node["NodeManagerHostname"] for node in found]
        return [
            Node(
                node["NodeID"],
                host if hosts.count(host) == 1 else f"{host}/{node['NodeID'][:6]}",
                int(node["Resources"]["CPU"]),
            )
            for node, host in zip(found, hosts, strict=True)
        ]

    def remote(self, function: Callable[..., Any]) -> RemoteTask:
        """Return a function of one processor for the nodes."""
        return RemoteTask(self._ray, function)

    def put(self, value: bytes) -> Any:
        """Store a value in the cluster; return Ray's reference."""
        return self._ray.put(value)

    def get(self, task: Any, seconds: float | None = None) -> Any:
        """Return a result. Raises the exceptions of ``lost``, and others of Ray."""
        return self._ray.get(task, timeout=seconds)

    def wait(self, tasks: Sequence[Any], seconds: float) -> tuple[list[Any], list[Any]]:
        """Wait until all have ended or the time is over; return those that have ended, and the others."""
        done, left = self._ray.wait(list(tasks), num_returns=len(tasks), timeout=seconds)
        return done, left

    def notify(self, task: Any, tell: Callable[[Any], None]) -> None:
        """Call ``tell`` with the result, or the exception, in another thread."""
        task.future().add_done_callback(lambda future: tell(future.exception() or future.result()))

    def cancel(self, task: Any) -> None:
        """End a task, also by the end of its worker."""
        with contextlib.suppress(Exception):
            self._ray.cancel(task, force=True)

    def close(self) -> None:
        """Disconnect; a Ray of our own ends with all its processes."""
        with _quiet():
            self._ray.shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def connected(address: str, processors: int | None = None) -> Connection:
    """Connect with a cluster: ``ray`` starts one on this machine, ``ray://HOST:PORT`` is one that runs.

    ``processors``: those of a Ray of our own; None: all. Raises PoolFailed, with the reason for people.
    """
    place = None if address == "ray" else _place(address)
    os.environ.update(_ENVIRONMENT)
    if place is None:
        os.environ.update(_LOOPBACK)
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
        connection = _started(_ray(), processors)
    else:
        connection = _reached(_ray(), address, *place)
    try:
        _examine(connection, address)
    except BaseException:
        connection.close()
        raise
    return connection


def _place(address: str) -> tuple[str, int]:
    """Return the host and the port of an address. Raises PoolFailed."""
    try:
        parts = urlsplit(address)
        if parts.scheme == "ray" and parts.hostname and parts.port and parts.netloc == address[len("ray://") :]:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise PoolFailed(f"--on must be ray, or ray://HOST:PORT such as ray://10.0.0.1:10001 (got {address[:80]!r})")


def _ray() -> ModuleType:
    try:
        import ray
    except ImportError:
        raise PoolFailed(f"--on ray needs the Python package ray; install it with: {INSTALL}") from None
    return ray


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Let nothing of Ray's log through; collect it nowhere."""
    log = logging.getLogger("ray")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(before)


def _started(ray: ModuleType, processors: int | None) -> Connection:
    # the paths of sockets must be short
    folder = tempfile.mkdtemp(prefix="arena-ray-", dir="/tmp" if sys.platform != "win32" else None)
    count = processors or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else processors
    last: BaseException | None = None
    try:
        for _ in range(STARTS):
            try:
                with _quiet():
                    ray.init(
                        address="local",
                        num_cpus=count,
                        num_gpus=0,
                        include_dashboard=False,
                        object_store_memory=MEMORY,
                        log_to_driver=False,
                        configure_logging=False,
                        _node_ip_address="127.0.0.1",
                        _temp_dir=folder,
                    )
            except Exception as error:  # Ray raises bare exceptions here
                last = error
                with _quiet():
                    ray.shutdown()
                continue
            _silence()
            return Connection(ray, elsewhere=False, folder=folder)
        raise PoolFailed(f"Ray does not start on this machine: {str(last).strip()[:300]}") from last
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _silence() -> None:
    """Keep Ray from printing notes about dead workers to standard output, where answers are; there is no option."""
    with contextlib.suppress(ImportError):
        from ray._private import worker

        if hasattr(worker, "print_to_stdstream"):
            worker.print_to_stdstream = lambda *_, **__: None


class _Watch(logging.Handler):
    """Reads what Ray's client tells of its attempts to connect. Raises PoolFailed at once when the token is wrong."""

    def emit(self, record: logging.LogRecord) -> None:
        if "authentication token" in record.getMessage():
            raise PoolFailed("the cluster refuses the token of RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH")


def _reached(ray: ModuleType, address: str, host: str, port: int) -> Connection:
    try:
        socket.create_connection((host, port), REACHED).close()
    except OSError as error:
        raise PoolFailed(f"cannot reach {address}: {error.strerror or error}") from None
    if not _has_token():
        raise PoolFailed(
            f"{address} needs the token of the cluster: set RAY_AUTH_TOKEN_PATH to its file, or RAY_AUTH_TOKEN"
        )
    log, watch = logging.getLogger("ray.util.client"), _Watch(logging.DEBUG)
    before = log.level, log.propagate
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(watch)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # Ray raises many kinds
        told = " ".join(line.strip() for line in str(error).splitlines() if line.strip())
        if isinstance(error, ConnectionError):
            told += "; the port must be that of the Ray client server, by default 10001"
        raise PoolFailed(f"cannot connect with {address}: {told[:400]}") from error
    finally:
        log.removeHandler(watch)
        log.setLevel(before[0])
        log.propagate = before[1]
    return Connection(ray, elsewhere=True, folder=None)


def _has_token() -> bool:
    path = os.environ.get("RAY_AUTH_TOKEN_PATH")
    file = Path(path) if path else Path.home() / ".ray" / "auth_token"
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or file.is_file()


def _examine(connection: Connection, address: str) -> None:
    """Compare the versions of all nodes with ours. Raises PoolFailed."""
    from ray import cloudpickle

    own = probe.software()
    cloudpickle.register_pickle_by_value(probe)  # type: ignore[no-untyped-call]  # it has no types
    try:
        task = connection.remote(probe.examined)
        nodes = connection.nodes()
        found = [(node, task.on(node.key).remote()) for node in nodes]
        for node, result in found:
            try:
                software, guarded = connection.get(result, EXAMINED)
            except Exception as error:  # Ray raises many kinds
                lines = str(error).strip().splitlines()
                raise PoolFailed(
                    f"node {node.name} of {address} does not work: {lines[-1] if lines else error!r}"
                ) from error
            if wrong := probe.differences(own, probe.Software(*software)):
                raise PoolFailed(f"node {node.name} of {address} has other versions: {', '.join(wrong)}")
            if not guarded:
                raise PoolFailed(
                    f"node {node.name} of {address} runs anybody's code: start the cluster with RAY_AUTH_MODE=token"
                )
    finally:
        cloudpickle.unregister_pickle_by_value(probe)  # type: ignore[no-untyped-call]  # it has no types
