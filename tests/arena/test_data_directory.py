# SPDX-License-Identifier: GPL-3.0-or-later
import argparse
from pathlib import Path

import pytest

from arena.data_directory import add_place, checkout, database_url, founded, told, unused_database
from arena.store.errors import StoreError

ROOT = Path(__file__).parents[2]


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_place(parser)
    return parser.parse_args(arguments)


def url(*arguments: str) -> str:
    return database_url(parsed(*arguments))


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


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own; nothing in the environment says where data are."""
    for name in ("ARENA_DATA", "ARENA_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("arena.data_directory.user_data_dir", lambda name, appauthor: str(tmp_path / "home" / name))
    return tmp_path / "home"


def test_a_checkout_has_data_of_its_own(home: Path) -> None:
    assert checkout() == ROOT
    assert url() == f"sqlite:///{ROOT}/data/arena.db"
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert "/data/" in ignored


def test_an_installed_package_has_its_data_in_the_home_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = home / "site-packages" / "arena" / "place.py"
    assert checkout(code) is None
    code.parent.mkdir(parents=True)
    project = code.parents[1] / "pyproject.toml"
    for text in ('[project]\nname = "another"', "not toml [", ""):
        project.write_text(text)
        assert checkout(code) is None
    monkeypatch.setattr("arena.data_directory.checkout", lambda: None)
    assert url() == f"sqlite:///{home}/bot-arena/arena.db"
    assert unused_database(parsed()) is None


def test_an_older_database_in_the_home_folder_is_named_where_a_checkout_does_not_use_it(home: Path) -> None:
    older = home / "bot-arena" / "arena.db"
    assert unused_database(parsed()) is None
    older.parent.mkdir(parents=True)
    older.touch()
    assert unused_database(parsed()) == older
    assert unused_database(parsed("--data", str(home))) is None
    assert unused_database(parsed("--database-url", "sqlite:///x.db")) is None


def test_the_place_of_the_data_is_printed_without_a_password(tmp_path: Path) -> None:
    assert told(parsed("--data", str(tmp_path))) == str(tmp_path)
    for given, shown in (
        (
            "postgresql://me:secret@db.example:5433/arena?sslmode=require&password=secret",
            "postgresql://db.example:5433/arena",
        ),
        ("postgresql:///arena?password=secret", "postgresql:///arena"),
        ("sqlite:////srv/x.db", "sqlite:////srv/x.db"),
    ):
        assert told(parsed("--database-url", given)) == shown


def test_a_new_arena_gets_a_folder(tmp_path: Path) -> None:
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
        with pytest.raises(StoreError, match=f"cannot make the folder {tmp_path}/{name}: {why}"):
            founded(parser.parse_args(["--data", f"{tmp_path}/{name}"]))
