# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives: any damage is detected before anything is restored."""

import json
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.store.backups import archive
from arena.store.backups.archive import ArchiveReader, BadBackup, check_name
from arena.store.backups.manifest import FORMAT
from arena.store.backups.restoring import restore
from arena.store.backups.saving import save
from arena.store.database.migrating import newest
from tests.arena.store.formats.dumps import load


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup with an uploaded file; tests copy it."""
    folder = tmp_path_factory.mktemp("backup")
    (folder / "uploads" / "abab").mkdir(parents=True)
    (folder / "uploads" / "abab" / "bot.py").write_text("print()")
    load(f"sqlite:///{folder / 'arena.db'}", newest())
    save(f"sqlite:///{folder / 'arena.db'}", {"uploads": folder / "uploads"}, folder / "backup.zip")
    return folder / "backup.zip"


def refuse(file: Path, tmp_path: Path, match: str = r"backup|damaged|cannot be read|checksum") -> None:
    """Check that a file is refused, and that nothing of it is restored."""
    target = tmp_path / "target"
    target.mkdir(exist_ok=True)
    with pytest.raises(BadBackup, match=match) as refused:
        restore(f"sqlite:///{target / 'arena.db'}", {"uploads": target / "uploads"}, file)
    assert "\n" not in str(refused.value)
    assert {path.name for path in target.iterdir()} <= {"arena.db-server"}, "the file of the lock stays"


def test_it_is_an_ordinary_zip_file(made: Path) -> None:
    with zipfile.ZipFile(made) as file:
        assert file.testzip() is None
        assert {"manifest.json", "database/match.jsonl", "files/uploads/abab/bot.py"} <= set(file.namelist())
        assert json.loads(file.read("manifest.json"))["schema"] == newest()


def test_every_changed_byte_is_found(made: Path, tmp_path: Path) -> None:
    body, chance = made.read_bytes(), random.Random(1)
    offsets = [0, len(body) // 2, *range(len(body) - 100, len(body)), *chance.sample(range(len(body)), 100)]
    for offset in offsets:
        changed = bytearray(body)
        changed[offset] ^= 1 << chance.randrange(8)
        (tmp_path / "changed.zip").write_bytes(changed)
        refuse(tmp_path / "changed.zip", tmp_path)


def test_every_truncation_and_addition_is_found(made: Path, tmp_path: Path) -> None:
    body = made.read_bytes()
    for size in (0, 1, 16, 100, len(body) // 2, len(body) - 64, len(body) - 1):
        (tmp_path / "cut.zip").write_bytes(body[:size])
        refuse(tmp_path / "cut.zip", tmp_path, "it is not a backup of an arena, or its end is missing")
    for more in (body + b"\0", b"\0" + body, body + body):
        (tmp_path / "more.zip").write_bytes(more)
        refuse(tmp_path / "more.zip", tmp_path)


def forge(made: Path, path: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """Write an archive with other content and right checksums of the file."""
    with zipfile.ZipFile(made) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(members, manifest)
    with zipfile.ZipFile(path, "w") as file:
        for name, body in members.items():
            file.writestr(name, body)
        file.writestr("manifest.json", json.dumps(manifest))
        file.comment = b"sha256:" + b"0" * 64
    with path.open("rb+") as written:
        digest = archive._digest_of(written)
        written.seek(-64, 2)
        written.write(digest.encode())
    return path


def test_what_the_forger_makes_is_readable(made: Path, tmp_path: Path) -> None:
    """Otherwise the tests below would say nothing."""
    with ArchiveReader(forge(made, tmp_path / "forged.zip", lambda members, manifest: None)) as reader:
        reader.check()


def _newer_format(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest |= {"format": FORMAT + 1, "version": "9.9"}


def _newer_schema(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest |= {"schema": "9999", "version": "9.9"}


def _strange_schema(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["schema"] = "../x"


def _another_program(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["name"] = "something else"


def _changed_part(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members["files/uploads/abab/bot.py"] = b"PRINT()"


def _missing_part(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del members["database/match.jsonl"]


def _further_part(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members["database/more.jsonl"] = b""


def _missing_table(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["tables"] = [table for table in manifest["tables"] if table["name"] != "match"]


def _path_outside(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    _add(members, manifest, "files/uploads/../../outside", b"x")


def _part_that_is_a_folder(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    _add(members, manifest, "files/uploads/nowhere/file", b"x")


def _large_part(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["parts"][0]["bytes"] = 2**70


def _another_type(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    _replace(members, manifest, "database/bot.jsonl", b'["x",1,2]\n' * 7)


def _repeated_row(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    body = members["database/bot.jsonl"]
    _replace(members, manifest, "database/bot.jsonl", body.splitlines(keepends=True)[0] * body.count(b"\n"))


def _no_server(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    _replace(members, manifest, "database/server.jsonl", b"")


def _add(members: dict[str, bytes], manifest: dict[str, Any], name: str, body: bytes) -> None:
    members[name] = body
    manifest["parts"].append({"name": name, "bytes": 0, "sha256": "", "mode": 0o600})
    _replace(members, manifest, name, body)


def _replace(members: dict[str, bytes], manifest: dict[str, Any], name: str, body: bytes) -> None:
    import hashlib

    members[name] = body
    for part in manifest["parts"]:
        if part["name"] == name:
            part |= {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    for table in manifest["tables"]:
        if name == f"database/{table['name']}.jsonl":
            table["rows"] = body.count(b"\n")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_newer_format, rf"format {FORMAT + 1} and was made by arena 9\.9"),
        (_newer_schema, r"schema 9999 and was made by arena 9\.9.*newer version"),
        (_strange_schema, "unknown schema"),
        (_another_program, "not that of an arena's backup"),
        (_changed_part, "the checksum of files/uploads/abab/bot.py is wrong"),
        (_missing_part, "its parts are not those of the manifest"),
        (_further_part, "its parts are not those of the manifest"),
        (_missing_table, "its parts are not those of its tables"),
        (_path_outside, "is not a name for a part"),
        (_part_that_is_a_folder, "is in no folder of the backup"),
        (_large_part, "does not have the stated|cannot be read"),
        (_another_type, "row 1 of the table bot"),
        (_repeated_row, "the database refuses rows of the table bot"),
        (_no_server, "table `server` has no row"),
    ],
)
def test_archives_with_right_checksums_are_not_trusted(
    made: Path, tmp_path: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None], why: str
) -> None:
    refuse(forge(made, tmp_path / "forged.zip", change), tmp_path, why)
    assert not (tmp_path / "outside").exists()


def test_a_bomb_is_refused(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A member that unpacks to more than the machine has is refused before it is unpacked."""
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 3))
    refuse(made, tmp_path, "has 3 bytes free")


@pytest.mark.parametrize("name", ["", "/a", "a//b", "../a", "a/..", "./a", "C:/a", "a\\b", "a\0b", "a\nb", "a" * 300])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(BadBackup, match="not a name for a part"):
        check_name(name)
