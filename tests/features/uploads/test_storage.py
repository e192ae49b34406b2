# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of strangers on the disk: only plain files of ours appear, whole or not at all, whatever the zip claims."""

import errno
import hashlib
import os
import resource
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random

import pytest

from arena.features.uploads.contents import MANIFEST
from arena.features.uploads.storage import FILE, Storage
from arena.features.uploads.unpacking import MIB, BadFile, Caps
from tests.features.uploads import zips
from tests.features.uploads.zips import BOT, packed, project

CAPS = Caps(unpacked=8 * MIB, files=50, ratio=200, ratio_from=MIB)


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """An empty storage, in a folder below which a zip could do harm."""
    return Storage(tmp_path / "outer" / "uploads", CAPS)


def everything(folder: Path) -> list[str]:
    """Return the paths of all that is below a folder."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*"))


def test_a_python_file_is_kept_whole(storage: Storage, tmp_path: Path) -> None:
    kept = storage.keep(BOT, "mine.py")
    assert kept.digest == hashlib.sha256(BOT).hexdigest()
    assert (kept.contents.language, kept.contents.entry) == ("python", "bot.py")
    files = storage.files(kept.digest, "python")
    assert (files / "bot.py").read_bytes() == storage.read(kept.digest, "python") == BOT
    assert stat.S_IMODE(files.stat().st_mode) == 0o755
    assert stat.S_IMODE((files / "bot.py").stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "outer" / "uploads").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("name", "body", "language", "entry", "mode"),
    [
        ("a", b"\x7fELF rest", "executable", "bot", 0o755),
        ("b.sh", b"#!/bin/sh\n", "executable", "bot", 0o755),
        ("c.py", b"#!/usr/bin/python3\n", "python", "bot.py", 0o644),
        ("d.bin", b"\0asm\1\0\0\0", "wasm", "bot.wasm", 0o644),
    ],
)
def test_the_language_is_that_of_the_content(
    storage: Storage, name: str, body: bytes, language: str, entry: str, mode: int
) -> None:
    kept = storage.keep(body, name)
    assert (kept.contents.language, kept.contents.entry) == (language, entry)
    assert stat.S_IMODE((storage.files(kept.digest, language) / entry).stat().st_mode) == mode


def test_a_zip_with_a_manifest(storage: Storage) -> None:
    manifest = b'{"entry": "src/play", "name": "Mine", "games": ["chess"], "version": "2.1"}'
    body = packed((MANIFEST, manifest), ("src/play", b"#!/bin/sh\n"), ("src/data/", b""), ("src/data/book", b"e4"))
    contents = storage.keep(body, "mine.zip").contents
    assert (contents.language, contents.entry, contents.games) == ("executable", "src/play", ["chess"])
    assert (contents.version, contents.unpacked) == ("2.1", len(manifest) + 12)
    files = storage.files(hashlib.sha256(body).hexdigest(), "executable")
    assert everything(files) == ["bot.json", "src", "src/data", "src/data/book", "src/play"]


@pytest.mark.parametrize("file", ["src/play.py", "src/play/__init__.py"])
def test_a_manifest_names_a_class(storage: Storage, file: str) -> None:
    body = packed((MANIFEST, b'{"entry": "src.play:Mine"}'), (file, BOT))
    contents = storage.keep(body, "mine.zip").contents
    assert (contents.language, contents.entry) == ("python", "src.play:Mine")


def test_modes_are_the_storages_own(storage: Storage) -> None:
    before = os.umask(0o077)
    try:
        odd = (("src/run", 0o6777), ("plain", 0o000), ("sticky", 0o1600))
        body = project(*((zips.entry(name, mode=stat.S_IFREG | mode), b"x") for name, mode in odd))
        kept = storage.keep(body, "x.zip")
    finally:
        os.umask(before)
    files = storage.files(kept.digest, "python")
    assert {stat.S_IMODE((files / name).stat().st_mode) for name, _ in odd} == {0o644}
    assert stat.S_IMODE((files / "src").stat().st_mode) == 0o755


NOISE = Random(1)
LZMA = packed(("main.py", BOT), method=zipfile.ZIP_LZMA)
HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "no zip": (b"neither", "cannot be read"),
    "cut zip": (project()[:-10], "cannot be read"),
    "two names": (project().replace(b"main.py", b"main.pY", 1), "cannot be read"),
    "missing byte": (project()[:40] + project()[41:], "cannot be read"),
    "zip without files": (packed(), "holds no files"),
    "no entry point": (packed(("other.py", BOT)), "neither bot.json nor main.py"),
    "parent": (project(("../evil", b"x")), "empty, . or .."),
    "parent within": (project(("a/../../evil", b"x")), "empty, . or .."),
    "dot": (project(("./evil", b"x")), "empty, . or .."),
    "two slashes": (project(("a//evil", b"x")), "empty, . or .."),
    "absolute": (project(("/tmp/evil", b"x")), "is absolute"),
    "backslash": (project((zips.entry("..\\evil"), b"x")), "backslash"),
    "drive": (project(("C:evil", b"x")), "colon"),
    "null": (project((zips.entry("evil\0.py"), b"x")), "control characters"),
    "newline": (project(("evil\nname", b"x")), "control characters"),
    "escape": (project(("evil\x1b[2Jname", b"x")), "control characters"),
    "direction": (project(("evil\u202ename", b"x")), "control characters"),
    "twice": (project(("a", b"x"), ("a", b"y")), "in the zip twice"),
    "same but for case": (project(("data/a", b"x"), ("data/A", b"y")), "some file systems do not distinguish"),
    "folders but for case": (project(("data/a", b"x"), ("Data/b", b"y")), "some file systems do not distinguish"),
    "same letters": (project(("caf\u00e9", b"x"), ("cafe\u0301", b"y")), "some file systems do not distinguish"),
    "file and folder": (project(("a", b"x"), ("a/b", b"y")), "both a file and a folder"),
    "folder and file": (project(("a/b", b"x"), ("a", b"y")), "both a file and a folder"),
    "symbolic link": (project(zips.symlink("passwd", "/etc/passwd")), "is a link"),
    "linked folder": (project(zips.symlink("a", "/tmp"), ("a/evil", b"x")), "is a link"),
    "hard link": (project(zips.hard_link("shadow", "/etc/shadow")), "is a link"),
    "device": (project((zips.entry("null", mode=stat.S_IFCHR | 0o666), b"")), "neither a file nor a folder"),
    "pipe": (project((zips.entry("pipe", mode=stat.S_IFIFO | 0o666), b"")), "neither a file nor a folder"),
    "encrypted": (zips.with_flags(project(), 1), "is encrypted"),
    "strongly encrypted": (zips.with_flags(project(), 0x41), "is encrypted"),
    "other compression": (LZMA, "another method than deflate"),
    "bomb by ratio": (project(("zeros", bytes(7 * MIB))), "times its own size"),
    "bomb by size": (
        packed(("main.py", BOT), *((f"{n}", NOISE.randbytes(MIB)) for n in range(9)), method=zipfile.ZIP_STORED),
        "more than 8,388,608 bytes",
    ),
    "overlapping bomb": (zips.overlapping("zeros", 40, 1_000_000), "overlap"),
    "many files": (project(*((f"{n}", b"") for n in range(60))), "more than 50 files"),
    "many folders": (project(*((f"{n}/a/b/c/d/e/f", b"") for n in range(10))), "more than 50 files and folders"),
    "deep": (project(("a/" * 20 + "b", b"")), "too long or too deep"),
    "long name": (project(("a" * 101, b"")), "too long or too deep"),
    "long path": (project(("/".join(["a" * 90] * 3), b"")), "too long or too deep"),
    "manifest no JSON": (packed((MANIFEST, b"{"), ("main.py", BOT)), "cannot be read"),
    "manifest too deep": (packed((MANIFEST, b"[" * 10_000), ("main.py", BOT)), "cannot be read"),
    "manifest too long": (packed((MANIFEST, b" " * 20_000), ("main.py", BOT)), "more than 16,384 bytes"),
    "manifest's entry outside": (packed((MANIFEST, b'{"entry": "../../file"}')), "is not a file of the zip"),
    "manifest's entry absolute": (packed((MANIFEST, b'{"entry": "/bin/sh"}')), "is not a file of the zip"),
    "manifest's entry missing": (packed((MANIFEST, b'{"entry": "a.py"}')), "is not a file of the zip"),
    "manifest's module missing": (packed((MANIFEST, b'{"entry": "play.a:Mine"}')), "a module that is not in the zip"),
    "manifest's unknown language": (packed((MANIFEST, b'{"entry": "a", "language": "perl"}')), "cannot be read"),
    "manifest's version with controls": (
        packed((MANIFEST, b'{"entry": "main.py", "version": "1\\u001b[2J"}'), ("main.py", BOT)),
        "control characters",
    ),
    "manifest's version that reorders": (
        packed((MANIFEST, b'{"entry": "main.py", "version": "\\u202e1"}'), ("main.py", BOT)),
        "control characters",
    ),
    "not WebAssembly": (packed((MANIFEST, b'{"entry": "a.wasm"}'), ("a.wasm", b"none")), "not a WebAssembly module"),
    "not executable": (packed((MANIFEST, b'{"entry": "a"}'), ("a", b"none")), "not an executable"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_zip_is_refused_and_leaves_nothing(storage: Storage, tmp_path: Path, case: str) -> None:
    body, why = HOSTILE[case]
    with pytest.raises(BadFile, match=why):
        storage.keep(body, "hostile.zip")
    assert everything(tmp_path) == ["outer", "outer/uploads"]


def test_a_bomb_within_a_zip_stays_packed(storage: Storage) -> None:
    body = project(("inner.zip", zips.nested(3, bytes(16 * MIB))))
    assert storage.keep(body, "x.zip").contents.unpacked < 1000 + len(body)


def test_other_files_are_refused(storage: Storage) -> None:
    with pytest.raises(BadFile, match=r"upload a Python file \(\.py\), a zip"):
        storage.keep(b"MZ", "x.exe")
    with pytest.raises(BadFile, match="not UTF-8"):
        storage.keep(b"\xff", "x.py")


def test_a_zip_that_claims_less_than_it_holds_is_refused(storage: Storage, tmp_path: Path) -> None:
    body = bytearray(project(("zeros", bytes(2 * MIB))))
    at = body.rindex(b"PK\x01\x02")
    body[at + 24 : at + 28] = (10).to_bytes(4, "little")
    with pytest.raises(BadFile, match="cannot be read"):
        storage.keep(bytes(body), "x.zip")
    assert everything(tmp_path) == ["outer", "outer/uploads"]


def test_the_same_file_twice_is_one_folder(storage: Storage, tmp_path: Path) -> None:
    first = storage.keep(BOT, "a.py")
    assert storage.keep(BOT, "b.py") == first
    storage.drop(first.digest, "python")
    storage.drop(first.digest, "python")
    assert everything(tmp_path) == ["outer", "outer/uploads"]


def test_a_full_disk_leaves_nothing(storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        storage.keep(project(("a", b"x")), "x.zip")
    assert everything(tmp_path) == ["outer", "outer/uploads"]


def test_a_write_beyond_what_the_system_allows_leaves_nothing(tmp_path: Path) -> None:
    """A real refusal of the kernel's, in a process of its own: the limit holds for the whole process."""
    program = (
        "import signal, sys; from pathlib import Path\n"
        "from arena.features.uploads.storage import Storage; from arena.features.uploads.unpacking import Caps\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "try: Storage(Path(sys.argv[1]), Caps()).keep(b'#' * 100_000, 'x.py')\n"
        "except OSError as error: print(error.errno)\n"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = subprocess.run(
        [sys.executable, "-B", "-c", program, str(tmp_path / "uploads")],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert int(done.stdout) == errno.EFBIG
    assert everything(tmp_path) == ["uploads"]


def test_folders_without_a_row_are_removed(storage: Storage, tmp_path: Path) -> None:
    known, orphan = storage.keep(BOT, "a.py"), storage.keep(BOT + b"#", "a.py")
    uploads = tmp_path / "outer" / "uploads"
    (uploads / ".new-0123456789abcdef").mkdir()
    (uploads / "somebody's").mkdir()
    gone = storage.tidy({(known.digest, "python")})
    assert gone == sorted([".new-0123456789abcdef", f"{orphan.digest}.python"])
    assert sorted(each.name for each in uploads.iterdir()) == sorted(["somebody's", f"{known.digest}.python"])
    assert (storage.place(known.digest, "python") / FILE).is_file()
