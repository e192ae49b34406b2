# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands ``arena accounts`` and ``arena operators``, on the database itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.cli.features import FEATURES
from tests.databases import found

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on an arena and return its JSON."""
    found(tmp_path)

    def run(*words: str) -> Any:
        capsys.readouterr()
        assert main([*words, "--data", str(tmp_path), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def test_an_account_is_made_with_a_token(run: Run) -> None:
    made = run("accounts", "add", "marion")
    assert set(made) == {"account", "token"}
    assert made["account"] == "marion"
    assert made["token"].startswith("arena_")
    (listed,) = run("accounts", "list")["items"]
    assert (listed["name"], listed["role"], listed["disabled"], listed["bots"]) == ("marion", "owner", False, 0)


def test_accounts_are_changed_and_removed(run: Run) -> None:
    run("accounts", "add", "marion", "--role", "administrator")
    run("accounts", "add", "robin")
    assert run("accounts", "role", "robin", "administrator")["role"] == "administrator"
    assert run("accounts", "disable", "marion")["disabled"]
    assert not run("accounts", "enable", "marion")["disabled"]
    assert run("accounts", "reset", "marion")["code"]
    assert run("accounts", "second-factor-off", "marion")["account"] == "marion"
    assert run("accounts", "remove", "Robin")["account"] == "robin"
    assert [row["name"] for row in run("accounts", "list")["items"]] == ["marion"]


def test_invitations_have_a_role_and_an_end(run: Run) -> None:
    made = run("accounts", "invite", "--role", "organiser", "--days", "1")
    assert (set(made), made["role"]) == ({"id", "role", "expires", "code"}, "organiser")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["add", "marion"], "taken"),
        (["add", "mar1on"], "looks like"),
        (["add", "mari on"], "choose another"),
        (["role", "robin", "owner"], "no account is called robin"),
        (["role", "marion", "owner"], "only administrator"),
        (["remove", "marion"], "only administrator"),
        (["invite", "--days", "0"], "above 0"),
        (["invite", "--days", "nan"], "above 0"),
    ],
)
def test_what_is_refused(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    run("accounts", "add", "marion", "--role", "administrator")
    assert main(["accounts", *words, "--data", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err


def test_an_operator_is_an_account_that_organises(run: Run) -> None:
    made = run("operators", "add", "marion")
    assert set(made) == {"name", "token"}
    (listed,) = run("operators", "list")["items"]
    assert (set(listed), listed["name"]) == ({"name", "created"}, "marion")
    (account,) = run("accounts", "list")["items"]
    assert account["role"] == "organiser"
    assert run("operators", "remove", "marion") == {"removed": "marion"}
    assert run("accounts", "list")["items"] == []


def test_it_removes_operators_only(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("accounts", "add", "marion")
    assert main(["operators", "remove", "marion", "--data", str(tmp_path)]) == 2
    assert "arena accounts remove" in capsys.readouterr().err


def test_what_changes_is_in_the_audit_log_without_secrets(run: Run) -> None:
    secrets = [
        run("accounts", "add", "marion", "--email", "marion@example.org")["token"],
        run("accounts", "reset", "marion")["code"],
        run("operators", "add", "robin")["token"],
    ]
    run("accounts", "list")
    run("operators", "list")
    entries = run("database", "audit")["items"][::-1]
    assert [entry["action"] for entry in entries] == [
        "arena accounts add",
        "arena accounts reset",
        "arena operators add",
    ]
    assert entries[0]["details"] == {"name": "marion", "role": "owner", "email": "marion@example.org"}
    for secret in secrets:
        assert secret not in json.dumps(entries)


def test_names_of_the_arenas_own_parts_are_reserved(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their actions would be left out of the audit log."""
    run("accounts", "list")
    names = [name for feature in FEATURES for name in feature.operators]
    assert names
    for name in names:
        for kind in ("accounts", "operators"):
            assert main([kind, "add", name, "--data", str(tmp_path)]) == 2
            assert "choose another" in capsys.readouterr().err
