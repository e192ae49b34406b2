# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploads: people submit bots as files, which the arena validates and then runs in sandboxes on the ladder."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from arena.application import Arena
    from arena.feature import Serving
    from arena.records.verification import Finding
    from arena.settings import Settings
    from arena.store import Store
    from arena.store.audit import Audit
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.uploads.settings import UploadSettings

    return UploadSettings


def _tables() -> Sequence[Any]:
    from arena.features.uploads.tables import TABLES

    return TABLES


def _files(settings: "Settings", database: "Path | None") -> "Mapping[str, Path]":
    from arena.features.uploads.settings import UploadSettings, folder_of

    return {"uploads": folder_of(settings.of(UploadSettings), database)}


async def _modules(store: "Store", folder: "Path") -> None:
    from arena.features.uploads.files import unpack_modules

    await unpack_modules(store, folder)


def _start(arena: "Arena") -> Part:
    from arena.features.uploads.part import UploadsPart

    return UploadsPart(arena)


async def _beside(arena: "Arena", serving: "Serving") -> None:
    from arena.features.uploads.process import keep_hosting

    await keep_hosting(arena, serving.url)


def _verify(audit: "Audit", checked: "Counter[str]") -> "Iterable[Finding]":
    from arena.features.uploads.records.files import check_files
    from arena.features.uploads.records.versions import check_uploads

    yield from check_uploads(audit)
    yield from check_files(audit, checked)


def _web() -> "WebPart":
    from arena.features.uploads.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="uploads",
    needs=("accounts",),
    settings=_settings,
    tables=_tables,
    files=_files,
    modules=_modules,
    start=_start,
    beside=_beside,
    verify=_verify,
    commands="arena.features.uploads.commands",
    web=_web,
)
