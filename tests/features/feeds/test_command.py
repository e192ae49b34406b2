# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``arena webhooks``, on the database itself."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.features.accounts.records import Accounts
from arena.store import Store
from tests.arena.store.company import versions
from tests.databases import found

URL = "https://example.org/hook"


def test_a_webhook_is_registered_tested_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def fill() -> None:
        async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
            await store.records(Accounts).add("anna", "owner")
            await versions(store, "mine")

    def asked(*words: str) -> Any:
        assert main(["webhooks", *words, "--data", str(tmp_path), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    found(tmp_path)
    asyncio.run(fill())
    added = asked("add", "anna", URL, "--event", "match.over", "--bot", "mine", "--game", "checkers")
    assert (added["account"], added["url"], added["events"], added["bot"]) == ("anna", URL, ["match.over"], 1)
    assert added["secret"].startswith("whsec_")
    (listed,) = asked("list")["items"]
    assert listed == {name: value for name, value in added.items() if name != "secret"}
    asked("test", "1")
    (delivery,) = asked("show", "1")["items"]
    assert (delivery["event"], delivery["state"], delivery["attempts"]) == ("test", "waiting", 0)
    assert asked("disable", "1")["disabled"] is not None
    assert asked("enable", "1")["disabled"] is None
    assert asked("secret", "1")["secret"] != added["secret"]
    for words in (["list"], ["show", "1"]):
        assert main(["webhooks", *words, "--data", str(tmp_path)]) == 0
        assert "whsec_" not in capsys.readouterr().out
    for words, why in (
        (["test", "7"], "no webhook has the number 7"),
        (["add", "nobody", URL], "no account is called nobody"),
        (["add", "anna", "http://127.0.0.1/"], "not public"),
        (["add", "anna", "http://example.org:22/"], "port 22"),
        (["add", "anna", URL, "--bot", "nobody"], "no bot is called nobody"),
        (["add", "anna", URL, "--tournament", "5"], "no tournament has the number 5"),
    ):
        assert main(["webhooks", *words, "--data", str(tmp_path)]) == 2
        assert why in capsys.readouterr().err
    asked("remove", "1")
    assert asked("list") == {"items": [], "next": None}
