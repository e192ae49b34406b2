# SPDX-License-Identifier: GPL-3.0-or-later
"""A feature's declaration: the one object by which a package of ``arena.features`` enters the arena.

A feature may have settings, tables, checks of its records, a part of the running server with tasks of its own, work
beside the server (such as a child process), commands, and an edge: its routes, pages, files and ways to authorise, of
the type ``W`` that the web server takes (``web.feature.WebPart``).

The declaration itself is cheap to import, because every command reads the list of features. Whatever loads more than a
few modules is therefore a function that imports it when called.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from arena.application import Arena
    from arena.records.verification import Finding
    from arena.settings import Settings
    from arena.store import Store
    from arena.store.audit import Audit
    from arena.store.database.tenure import Tenure

W = TypeVar("W", covariant=True)


class Part:
    """A feature's part of a running arena, which ``Arena.part`` finds by its class."""

    everywhere = False
    """Whether it runs at each server, where several are one arena; otherwise only at the one that leads."""

    async def run(self) -> None:
        """Work beside the arena until cancelled, once this server leads it."""

    def trouble(self) -> str:
        """Return why this server is not ready, for people; "" when it is."""
        return ""

    async def stop(self) -> None:
        """Finish, after ``run`` was cancelled and the bots have left; the store is still open."""


@dataclass(frozen=True)
class Serving:
    """The server of an arena, for the work of features beside it."""

    url: str
    built_in_bots: bool
    """Whether it runs built-in bots."""
    settled: Callable[[], Awaitable[None]]
    """Wait until the built-in bots are ready and nothing compiles."""


def _nothing(*_: object) -> tuple[()]:
    return ()


def _no_folders(*_: object) -> "Mapping[str, Path]":
    return {}


@dataclass(frozen=True, kw_only=True)
class Feature(Generic[W]):
    """The declaration of a feature. Each field may be left out."""

    name: str
    """Name of the feature and of its folder: ``arena.features.NAME``, and ``/static/HASH/NAME/`` for its files."""
    needs: tuple[str, ...] = ()
    """Names of features that this one imports. They come before it in the list."""
    settings: Callable[[], type[Any] | None] = lambda: None
    """Return a frozen dataclass whose fields are made by ``arena.settings.setting``; ``Settings.of`` finds its values.

    The names of settings are unique over all features.
    """
    tables: Callable[[], Sequence[Any]] = _nothing
    """Return the feature's tables, which are made by a migration of ``arena.store``."""
    files: "Callable[[Settings, Path | None], Mapping[str, Path]]" = _no_folders
    """Return the folders of files that the records name, by names that no other feature uses, for backups; the second
    argument is the SQLite file. An entry of a folder gets its name when it is whole and never changes; the names of
    others begin with a dot. Entries that no record names are harmless.
    """
    modules: "Callable[[Store, Path], Awaitable[None]] | None" = None
    """Write the WebAssembly modules that the feature keeps in the database into a folder; ``arena verify`` replays
    matches with them. Raises StoreError and OSError.
    """
    claim: "Callable[[Settings, str, str], Tenure] | None" = None
    """Return how a server holds its database, given the URL of the database, and the address at which other machines
    reach the server; without such a feature it holds it for itself alone. At most one feature has this. Raises
    ValueError.
    """
    start: "Callable[[Arena], Part] | None" = None
    """Make the feature's part of an arena; its task starts and ends with the arena."""
    beside: "Callable[[Arena, Serving], Awaitable[None]] | None" = None
    """Work while a server serves the arena, until cancelled: child processes are kept alive here."""
    bots: tuple[str, ...] = ()
    """Names of built-in bots that connect from the work beside the server. ``Hosting.hosts`` sets, by the feature's
    name, which of them connect.
    """
    owners: tuple[str, ...] = ()
    """Prefix of the owner names that the feature gives to bots. Such bots may have any number of new versions, and keep
    their descriptions.
    """
    operators: tuple[str, ...] = ()
    """Names under which the feature's processes act as operators. No person may take them, and the audit log leaves
    their actions out.
    """
    verify: "Callable[[Audit, Counter[str]], Iterable[Finding]]" = _nothing
    """Check the feature's records and count them by kind; part of ``arena verify``."""
    commands: str | None = None
    """The package whose modules are commands, as those of ``arena.cli`` are."""
    web: Callable[[], W] | None = None
    """Return the feature's edge: routes, pages, static files."""


Features = Sequence[Feature[object]]


def check_needs(features: Features) -> None:
    """Raise ValueError if a feature comes before one that it needs, or without it."""
    known: set[str] = set()
    for feature in features:
        if missing := [name for name in feature.needs if name not in known]:
            raise ValueError(f"the feature {feature.name} needs {' and '.join(missing)} before it in the list")
        known.add(feature.name)
