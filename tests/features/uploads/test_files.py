# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded files in a folder beside SQLite, and in PostgreSQL for all servers that share it."""

import asyncio
import hashlib
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select, update

from arena.features.uploads import tables
from arena.features.uploads.files import CACHE, UploadFiles, files_of, unpack_modules
from arena.features.uploads.records import files as file_records
from arena.features.uploads.records.files import PART, FileRecords, check_files
from arena.features.uploads.storage import Storage
from arena.features.uploads.unpacking import BadFile, Caps
from arena.store import Store
from arena.store.acting import Action, acting
from arena.store.errors import StoreError
from tests.features.uploads.test_records import add
from tests.features.uploads.zips import BOT, packed

CAPS = Caps()
NAME = "mine.py"
BODY = b"#" + random.Random(1).randbytes(3 * PART).hex().encode()[: 3 * PART]
"""A program of several parts, the last of which is short."""
KEY = hashlib.sha256(BODY).hexdigest(), "python"

sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


def parts(connection: Connection) -> list[int]:
    """Return the sizes of all parts."""
    query = select(func.length(tables.upload_parts.c.body)).order_by(tables.upload_parts.c.number)
    return list(connection.scalars(query))


async def stored(store: Store) -> list[int]:
    """Return the sizes of the parts that the database has."""
    return await store._reader.run(parts)


async def content(files: UploadFiles, key: tuple[str, str] = KEY, name: str = NAME) -> bytes:
    """Return the program that a server would run."""
    return ((await files.program(key, name)) / "bot.py").read_bytes()


async def test_a_file_comes_back_and_goes(store: Store, tmp_path: Path) -> None:
    files = files_of(store, tmp_path / "uploads", CAPS)
    kept = await files.keep(BODY, NAME)
    assert (kept.digest, kept.contents.language) == KEY
    assert await files.read(KEY) == await content(files) == BODY
    assert await files.keep(BODY, "other.py") == kept
    assert await stored(store) == ([PART, PART, PART, 1] if store.file is None else [])
    assert await files.tidy([KEY]) == []
    assert await files.read(KEY) == BODY
    assert await files.tidy([]) == [".".join(KEY)]
    assert not files.place(KEY).exists()
    with pytest.raises(FileNotFoundError):
        await files.read(KEY)
    assert await stored(store) == []
    await files.keep(BODY, NAME)
    await files.drop(KEY)
    assert not files.place(KEY).exists()
    assert await stored(store) == []


async def test_what_is_refused_leaves_nothing(store: Store, tmp_path: Path) -> None:
    files = files_of(store, tmp_path / "uploads", CAPS)
    with pytest.raises(BadFile):
        await files.keep(b"MZ", "a.exe")
    assert await stored(store) == []
    assert [each for each in (tmp_path / "uploads").rglob("*") if each.name != CACHE] == []


@postgresql
async def test_another_server_unpacks_what_one_took(store: Store, tmp_path: Path) -> None:
    """Also if its limits are lower by now. Several at once that share a folder do not disturb each other."""
    body = packed(("main.py", BOT), ("data/book", b"e4 e5" * 999))
    one = files_of(store, tmp_path / "one", CAPS)
    kept = await one.keep(body, "mine.zip")
    key = kept.digest, "python"
    lower = Caps(unpacked=1, files=1)
    others = [files_of(store, tmp_path / name, lower) for name in ("other", "other", "third")]
    for folder in await asyncio.gather(*(other.program(key, "mine.zip") for other in others)):
        assert (folder / "main.py").read_bytes() == BOT
        assert (folder / "data" / "book").read_bytes() == b"e4 e5" * 999
    shutil.rmtree(tmp_path / "other")
    assert (await others[0].program(key, "mine.zip") / "main.py").read_bytes() == BOT, "unpacked again"
    await one.drop(key)
    shutil.rmtree(tmp_path / "other")
    with pytest.raises(FileNotFoundError, match="is not in the database"):
        await others[0].program(key, "mine.zip")


@postgresql
async def test_an_interrupted_upload_leaves_nothing_for_long(store: Store, tmp_path: Path) -> None:
    """Parts without their file are no file. A next upload replaces them, and tidying removes them."""
    records = store.records(FileRecords)
    row = {"digest": KEY[0], "language": KEY[1], "body": b"of an older version"}
    rows = [row | {"number": number} for number in range(2)]
    await store._writer.run(lambda connection: connection.execute(tables.upload_parts.insert(), rows))
    assert await records.read(KEY) is None
    assert await records.keys() == set()
    await records.add(KEY, BODY)
    assert await records.read(KEY) == BODY
    await store._writer.run(lambda connection: connection.execute(tables.upload_files.delete()))
    assert await records.tidy([]) == [KEY]
    assert await stored(store) == []


@postgresql
async def test_two_servers_may_store_the_same_file_at_once(database_url: str, store: Store) -> None:
    async with await Store.open(database_url) as other:
        await asyncio.gather(*(each.records(FileRecords).add(KEY, BODY) for each in (store, other) for _ in range(2)))
    assert await store.records(FileRecords).read(KEY) == BODY


@postgresql
async def test_a_server_that_begins_to_store_a_file_removes_no_parts_of_another_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_part = file_records._add_part

    def add_and_begin(connection: Connection, row: dict[str, object]) -> None:
        add_part(connection, row)
        assert not file_records._begin(connection, KEY, len(BODY))

    monkeypatch.setattr(file_records, "_add_part", add_and_begin)
    await store.records(FileRecords).add(KEY, BODY)
    assert await store.records(FileRecords).read(KEY) == BODY


@postgresql
async def test_the_folder_of_an_earlier_version_is_taken_in(store: Store, tmp_path: Path) -> None:
    """What the records do not name, and what is damaged, stays where it is."""
    folder = tmp_path / "uploads"
    earlier = Storage(folder, CAPS)
    earlier.keep(BODY, NAME)
    other, bad = earlier.keep(BOT, NAME).digest, earlier.keep(BOT + b"#", NAME).digest
    (earlier.place(bad, "python") / "file").write_bytes(b"damaged")
    names = {KEY: NAME, (bad, "python"): NAME, ("ab" * 32, "python"): NAME}
    files = files_of(store, folder, CAPS)
    assert await content(files) == BODY, "it is there before, too"
    assert await files.read(KEY) == BODY
    for _ in range(2):
        await files.take_in(names)
        assert sorted(each.name for each in folder.iterdir()) == sorted([CACHE, f"{other}.python", f"{bad}.python"])
        assert [each.name for each in (folder / CACHE).iterdir()] == [".".join(KEY)]
    assert await content(files) == await content(files_of(store, tmp_path / "elsewhere", CAPS)) == BODY
    assert await store.records(FileRecords).keys() == {KEY}
    # a folder that two servers share
    earlier.keep(BODY, NAME)
    await files.take_in(names)
    assert not earlier.place(*KEY).exists()
    assert await content(files) == BODY


@postgresql
async def test_modules_are_written_for_a_verification(store: Store, tmp_path: Path) -> None:
    files, module = files_of(store, tmp_path / "uploads", CAPS), b"\0asm\1\0\0\0"
    bot_id = (await store.bots.add("mine", "hash")).id
    for body, name, language in ((BODY, NAME, "python"), (module, "mine.wasm", "wasm")):
        kept = await files.keep(body, name)
        await add(store, bot_id, digest=kept.digest, language=language, file=name)
    await unpack_modules(store, tmp_path / "modules")
    (folder,) = (tmp_path / "modules").iterdir()
    assert (folder.name.endswith(".wasm"), (folder / "files" / "bot.wasm").read_bytes()) == (True, module)


@sqlite
async def test_files_of_a_restored_backup_of_postgresql_are_taken_out(store: Store, tmp_path: Path) -> None:
    records, files = store.records(FileRecords), files_of(store, tmp_path / "uploads", CAPS)
    await records.add(KEY, BODY)
    await records.add((hashlib.sha256(BOT).hexdigest(), "python"), BOT)
    await files.take_in({KEY: NAME, ("ab" * 32, "python"): NAME})
    assert await files.read(KEY) == await content(files) == BODY
    assert await records.keys() == set()
    assert await stored(store) == []
    assert [each.name for each in (tmp_path / "uploads").iterdir()] == [".".join(KEY)]


@sqlite
async def test_a_damaged_file_of_a_restored_backup_keeps_back_no_other(store: Store, tmp_path: Path) -> None:
    records, files = store.records(FileRecords), files_of(store, tmp_path / "uploads", CAPS)
    bot = hashlib.sha256(BOT).hexdigest(), "python"
    await records.add(bot, BOT)
    await records.add(KEY, BODY)
    damage = update(tables.upload_parts).where(tables.upload_parts.c.number == 1).values(body=b"other")
    await store._writer.run(lambda connection: connection.execute(damage))
    await files.take_in({KEY: NAME, bot: "bot.py"})
    assert await files.read(bot) == BOT
    assert await records.keys() == {KEY}, "it stays for an operator to look at"


async def test_a_damaged_file_is_reported(store: Store) -> None:
    records, checked = store.records(FileRecords), Counter[str]()
    await records.add(KEY, BODY)
    assert await store.audit(lambda audit: list(check_files(audit, checked))) == []
    assert checked == {"uploaded files": 1}
    changed = update(tables.upload_parts).where(tables.upload_parts.c.number == 1).values(body=b"other")
    await store._writer.run(lambda connection: connection.execute(changed))
    with pytest.raises(StoreError, match=f"the uploaded file {KEY[0]} is damaged"):
        await records.read(KEY)
    (found,) = await store.audit(lambda audit: list(check_files(audit, checked)))
    assert found.where == f"file {KEY[0]}"


@postgresql
async def test_a_file_is_no_entry_of_the_audit_log(store: Store, tmp_path: Path) -> None:
    """The upload is, once it is recorded: it may still be refused when its file is stored."""
    files = files_of(store, tmp_path / "uploads", CAPS)
    with acting(Action("marion", "here", "POST /api/v1/bots/1/versions")) as action:
        await files.keep(BODY, NAME)
        await files.drop(KEY)
        assert not action.written
        await store.bots.add("mine", "hash")
    assert action.written
