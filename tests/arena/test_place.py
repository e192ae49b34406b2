# SPDX-License-Identifier: GPL-3.0-or-later
import argparse
from pathlib import Path

import pytest

from arena.place import add_place, database_url, founded
from arena.store.errors import StoreError


def url(*arguments: str) -> str:
    parser = argparse.ArgumentParser()
    add_place(parser)
    return database_url(parser.parse_args(arguments))


def test_the_command_line_goes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_DATABASE_URL", raising=False)
    monkeypatch.setenv("ARENA_DATA", str(tmp_path / "environment"))
    assert url() == f"sqlite:///{tmp_path}/environment/arena.db"
    assert url("--data", f"{tmp_path}/given") == f"sqlite:///{tmp_path}/given/arena.db"
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://somewhere/arena")
    assert url() == "postgresql://somewhere/arena"
    assert url("--data", f"{tmp_path}/given") == f"sqlite:///{tmp_path}/given/arena.db"
    assert url("--database-url", "sqlite:///x.db") == "sqlite:///x.db"
    with pytest.raises(SystemExit):
        url("--database-url", "sqlite:///x.db", "--data", "x")


def test_by_default_it_is_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ARENA_DATA", "ARENA_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("arena.place.user_data_dir", lambda name, appauthor: str(tmp_path / name))
    assert url() == f"sqlite:///{tmp_path}/bot-arena/arena.db"


def test_a_folder_is_made_for_who_founds_an_arena(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    add_place(parser)
    arguments = parser.parse_args(["--data", f"{tmp_path}/new/one"])
    assert founded(arguments) == database_url(arguments) == f"sqlite:///{tmp_path}/new/one/arena.db"
    assert (tmp_path / "new" / "one").is_dir()


def test_where_no_folder_can_be_made_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    parser = argparse.ArgumentParser()
    add_place(parser)
    for name, why in (("file", "File exists"), ("file/below", "Not a directory")):
        with pytest.raises(StoreError, match=f"there can be no folder {tmp_path}/{name}: {why}"):
            founded(parser.parse_args(["--data", f"{tmp_path}/{name}"]))
