# SPDX-License-Identifier: GPL-3.0-or-later
"""One's own account over the API, one's bots, and the administration of accounts."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from arena.connections.admission import hash_token
from arena.features.accounts.settings import AccountSettings
from arena.settings import Settings
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from tests.arena.store.company import play
from tests.features.accounts.people import PASSWORD, browser, new_name, part_of, program, signed_in
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

NEW = "another horse battery"


async def entries(door: Door, action: str) -> list[Any]:
    """Return the entries of the audit log about an action, the newest first."""
    page = await door.arena.store.audit_log.page(limit=200)
    return [entry for entry in page.items if entry.action == action]


async def test_a_new_password_needs_the_old_one_and_ends_other_sessions(door: Door) -> None:
    async with signed_in(door) as (one, name), browser(door) as other:
        await other.post("/sessions", {"name": name, "password": PASSWORD})
        assert (await one.post("/account/password", {"old": "wrong", "new": NEW}))[0] == 403
        assert (await one.post("/account/password", {"old": PASSWORD, "new": "short"}))[0] == 400
        assert (await one.post("/account/password", {"old": PASSWORD, "new": NEW}))[0] == 200
        assert (await one.get("/account"))[0] == 200
        assert (await other.get("/account"))[0] == 401
        assert (await other.post("/sessions", {"name": name, "password": PASSWORD}))[0] == 401
        assert (await other.post("/sessions", {"name": name, "password": NEW}))[0] == 200
    (entry,) = [entry for entry in await entries(door, "POST /api/v1/account/password") if entry.account == name]
    assert entry.details == "{}"


async def test_an_account_of_the_command_line_sets_its_first_password(door: Door) -> None:
    shown = await program(door)
    path = "/api/v1/account/password"
    async with door.http.post(path, json={"old": "guessed", "new": NEW}, headers=shown) as response:
        assert response.status == 403
    async with door.http.post(path, json={"old": "", "new": NEW}, headers=shown) as response:
        assert response.status == 200
    async with door.http.post(path, json={"old": "", "new": PASSWORD}, headers=shown) as response:
        assert response.status == 403


async def test_sessions_are_listed_and_revoked(door: Door) -> None:
    async with signed_in(door) as (one, name), browser(door) as other:
        await other.post("/sessions", {"name": name, "password": PASSWORD})
        status, found = await one.get("/account/sessions")
        assert status == 200
        newest, first = found["items"]
        assert (newest["current"], first["current"], first["address"]) == (False, True, "127.0.0.1")
        assert "aiohttp" in first["agent"]
        async with signed_in(door) as (stranger, _):
            assert (await stranger.post(f"/account/sessions/{newest['id']}/revoke"))[0] == 404
        assert (await one.post(f"/account/sessions/{newest['id']}/revoke"))[0] == 200
        assert (await other.get("/account"))[0] == 401
        assert (await one.get("/account"))[0] == 200


async def test_tokens_are_made_listed_and_revoked(door: Door) -> None:
    async with signed_in(door) as (one, _):
        status, made, headers = await one.post("/account/tokens", {"label": "laptop", "scopes": ["submit", "play"]})
        assert (status, made["scopes"], headers["Cache-Control"]) == (200, ["play", "submit"], "no-store")
        _, listed = await one.get("/account/tokens")
        assert [(token["label"], token["last_used"]) for token in listed["items"]] == [("laptop", None)]
        shown = {"Authorization": f"Bearer {made['token']}"}
        async with door.http.get("/api/v1/account/bots", headers=shown) as response:
            assert (response.status, await response.json()) == (200, {"items": []})
        assert (await one.get("/account/tokens"))[1]["items"][0]["last_used"] is not None
        async with signed_in(door) as (stranger, _):
            assert (await stranger.post(f"/account/tokens/{made['id']}/revoke"))[0] == 404
        assert (await one.post(f"/account/tokens/{made['id']}/revoke"))[0] == 200
        async with door.http.get("/api/v1/account/bots", headers=shown) as response:
            assert response.status == 401


@pytest.mark.parametrize(
    ("scopes", "status"), [([], 400), (["everything"], 400), (["organise"], 403), (["play", "administer"], 403)]
)
async def test_a_token_has_no_scope_that_its_account_lacks(door: Door, scopes: list[str], status: int) -> None:
    async with signed_in(door) as (one, _):
        assert (await one.post("/account/tokens", {"label": "", "scopes": scopes}))[0] == status


async def test_a_lesser_token_makes_no_greater_one(door: Door) -> None:
    shown = await program(door, "administrator", ["play"])
    body = {"label": "", "scopes": ["administer"]}
    async with door.http.post("/api/v1/account/tokens", json=body, headers=shown) as response:
        assert response.status == 403


async def test_a_lower_role_takes_rights_from_sessions_and_tokens_at_once(door: Door) -> None:
    part = part_of(door)
    async with signed_in(door, role="administrator") as (one, name), signed_in(door, role="administrator") as (head, _):
        _, made, _ = await one.post("/account/tokens", {"label": "", "scopes": ["administer", "play"]})
        shown = {"Authorization": f"Bearer {made['token']}"}
        number = (await part.accounts.find(name)).id
        assert (await head.post(f"/accounts/{number}/role", {"role": "owner"}))[0] == 200
        assert (await one.get("/accounts"))[0] == 403
        async with door.http.get("/api/v1/accounts", headers=shown) as response:
            assert response.status == 403
        async with door.http.get("/api/v1/account", headers=shown) as response:
            assert (await response.json())["scopes"] == ["play"]


async def test_an_account_is_deleted_with_its_password(door: Door) -> None:
    async with signed_in(door) as (one, name):
        _, made, _ = await one.post("/bots", {"name": f"{name}-bot"})
        assert (await one.post("/account/delete", {"password": "wrong"}))[0] == 403
        status, _, headers = await one.post("/account/delete", {"password": PASSWORD})
        assert (status, "Max-Age=0" in headers["Set-Cookie"]) == (200, True)
        assert (await one.get("/account"))[0] == 401
        async with door.http.get(f"/api/v1/bots/{made['bot']['id']}") as response:
            bot = await response.json()
        assert (re.fullmatch(r"deleted account \d+", bot["owner"]) is None, bot["removed"] is None) == (False, False)


async def test_an_owner_registers_a_bot_that_plays(door: Door) -> None:
    async with signed_in(door) as (one, name):
        status, made, _ = await one.post("/bots", {"name": f"{name}.one", "description": "a\n \u202ebot'); --"})
        assert (status, set(made)) == (200, {"bot", "token"})
        async with door.http.ws_connect("/api/v1/play") as socket:
            await socket.send_json({"type": "hello", "protocol": 1, "token": made["token"], "games": ["tictactoe"]})
            async with asyncio.timeout(600):
                assert (await socket.receive_json())["type"] == "welcome"
            _, listed = await one.get("/account/bots")
            (bot,) = listed["items"]
            assert (bot["name"], bot["owner"], bot["description"], bot["connected"]) == (
                f"{name}.one",
                name,
                "a bot'); --",
                True,
            )
            status, replaced, _ = await one.post(f"/bots/{bot['id']}/token")
            assert status == 200
            async with asyncio.timeout(600):
                while (await socket.receive()).data is not None:
                    pass
        assert await door.arena.store.bots.by_token(hash_token(made["token"])) is None
        assert await door.arena.store.bots.by_token(hash_token(replaced["token"])) is not None
        assert (await one.post(f"/bots/{bot['id']}/remove"))[0] == 200
        assert (await one.post(f"/bots/{bot['id']}/remove"))[0] == 404
        assert (await one.post("/bots", {"name": f"{name}.one"}))[0] == 409
        assert (await one.post("/bots", {"name": "no name"}))[0] == 400
    (entry,) = [entry for entry in await entries(door, "POST /api/v1/bots/{id}/token") if entry.account == name]
    assert made["token"] not in entry.details


async def test_an_account_has_a_limit_of_bots(tmp_path: Path) -> None:
    settings = Settings(games="tictactoe", ladder=False, features=(AccountSettings(bots_per_account=1),))
    async with opened(tmp_path, settings) as door, signed_in(door) as (one, name):
        assert (await one.post("/bots", {"name": f"{name}-1"}))[0] == 200
        status, answer, headers = await one.post("/bots", {"name": f"{name}-2"})
        assert (status, answer["error"]["code"]) == (429, "too-many-requests")
        assert int(headers["Retry-After"]) >= 1
        assert (await one.get("/account"))[1]["usage"]["bots"] == 1
        async with signed_in(door, role="administrator") as (head, _):
            assert [(await head.post("/bots", {"name": f"head-{number}"}))[0] for number in "ab"] == [200, 200]
            assert (await head.get("/account"))[1]["limits"]["bots"] is None


async def test_administrators_manage_accounts(door: Door) -> None:
    async with signed_in(door, role="administrator") as (head, name), signed_in(door) as (one, owner):
        number = (await part_of(door).accounts.find(owner)).id
        status, listed = await head.get("/accounts?limit=500")
        assert status == 200
        (row,) = [row for row in listed["items"] if row["name"] == owner]
        assert (row["id"], row["role"], row["disabled"], row["bots"]) == (number, "owner", None, 0)
        assert not any("hash" in field for field in row)
        assert (await head.post(f"/accounts/{number}/disable", {"disabled": True}))[0] == 200
        assert (await one.get("/account"))[0] == 401
        assert (await one.post("/sessions", {"name": owner, "password": PASSWORD}))[0] == 401
        assert (await head.post(f"/accounts/{number}/disable", {"disabled": False}))[0] == 200
        assert (await one.post("/sessions", {"name": owner, "password": PASSWORD}))[0] == 200
        assert (await head.post("/accounts/999999/role", {"role": "owner"}))[0] == 404
    found = await entries(door, "POST /api/v1/accounts/{id}/disable")
    assert [entry.account for entry in found[:2]] == [name, name]


async def test_a_reset_code_sets_a_password_once(door: Door) -> None:
    async with signed_in(door, role="administrator") as (head, _), signed_in(door) as (one, owner):
        number = (await part_of(door).accounts.find(owner)).id
        status, made, _ = await head.post(f"/accounts/{number}/reset")
        assert status == 200
        body = {"code": made["code"], "password": NEW}
        async with browser(door) as new:
            assert (await new.post("/password-resets", {**body, "password": "short"}))[0] == 400
            assert (await new.post("/password-resets", body))[0] == 200
            assert (await new.post("/password-resets", body))[0] == 403
            assert (await new.post("/sessions", {"name": owner, "password": NEW}))[0] == 200
        assert (await one.get("/account"))[0] == 401
    for entry in await entries(door, "POST /api/v1/password-resets"):
        assert made["code"] not in entry.details


async def test_invitations_are_made_listed_and_revoked(door: Door) -> None:
    async with signed_in(door, role="administrator") as (head, _):
        status, made, _ = await head.post("/invitations", {"role": "organiser", "days": 1})
        assert (status, made["role"]) == (200, "organiser")
        _, listed = await head.get("/invitations")
        assert made["id"] in [item["id"] for item in listed["items"]]
        assert all("code" not in item for item in listed["items"])
        assert (await head.post(f"/invitations/{made['id']}/revoke"))[0] == 200
        assert (await head.post(f"/invitations/{made['id']}/revoke"))[0] == 404
        async with browser(door) as one:
            body = {"name": new_name(), "password": PASSWORD, "code": made["code"]}
            assert (await one.post("/accounts", body))[0] == 403


async def test_an_invitation_is_for_one_account_of_its_role_however_its_code_is_typed(door: Door) -> None:
    async with signed_in(door, role="administrator") as (head, _), browser(door) as one:
        _, made, _ = await head.post("/invitations", {"role": "organiser", "days": 1})
        for code, status in ((made["code"].replace("-", " ").upper(), 200), (made["code"], 403)):
            found, answer, _ = await one.post("/accounts", {"name": new_name(), "password": PASSWORD, "code": code})
            assert (found, answer.get("account", {}).get("role")) == (status, "organiser" if status == 200 else None)


async def test_the_only_administrator_stays(tmp_path: Path) -> None:
    settings = Settings(games="tictactoe", ladder=False)
    async with opened(tmp_path, settings) as door, signed_in(door, role="administrator") as (head, name):
        number = (await part_of(door).accounts.find(name)).id
        assert (await head.post(f"/accounts/{number}/role", {"role": "owner"}))[0] == 409
        assert (await head.post("/account/delete", {"password": PASSWORD}))[0] == 409


async def test_organisers_hold_tournaments_and_owners_do_not(door: Door) -> None:
    name, _ = await door.register()
    other, _ = await door.register()
    cup = {
        "name": "Cup",
        "game": "tictactoe",
        "format": {"kind": "round-robin"},
        "entries": [{"name": name}, {"name": other}],
    }
    async with signed_in(door) as (owner, _):
        status, answer, _ = await owner.post("/tournaments", cup)
        assert (status, answer["error"]["code"]) == (403, "forbidden")
    async with signed_in(door, role="organiser") as (organiser, who):
        assert (await organiser.post("/tournaments", cup))[0] == 200
    assert (await entries(door, "POST /api/v1/tournaments"))[0].account == who


async def test_matches_of_bots_of_one_owner_are_marked(door: Door) -> None:
    part, store = part_of(door), door.arena.store
    marion = await part.accounts.add(new_name(), "owner")
    own = [await part.ownership.register(marion.id, f"{marion.name}.{place}", f"{place} {marion.id}") for place in "ab"]
    name, _ = await door.register()
    other = await store.bots.named(name)
    assert other is not None
    for pair, same in ((own, True), ((own[0], other), False)):
        one, two = [await store.bots.version(bot.id, "1") for bot in pair]
        played = await play(store, one, two, game="tictactoe")
        async with door.http.get(f"/api/v1/matches?bot={pair[0].id}") as response:
            found = {match["id"]: match["same_owner"] for match in (await response.json())["items"]}
        assert found[played.match_id] is same


async def test_a_client_of_the_sdk_registers_a_bot(door: Door) -> None:
    shown = await program(door)
    token = shown["Authorization"].removeprefix("Bearer ")
    rest = RestClient(f"http://{door.address}", token)
    made = await asyncio.to_thread(rest.post, "/bots", {"name": "robin-of-the-sdk"})
    assert made["bot"]["name"] == "robin-of-the-sdk"
    with pytest.raises(RequestRefused):
        await asyncio.to_thread(rest.post, "/bots", {"name": "robin-of-the-sdk"})


async def test_an_owner_sees_the_limits_of_the_arena_with_their_usage(tmp_path: Path) -> None:
    limits = Settings(games="tictactoe", ladder=False, owner_connections=3, owner_matches_per_day=50)
    async with opened(tmp_path, limits) as door, signed_in(door) as (one, _):
        _, account = await one.get("/account")
        for name, most in (("connections", 3), ("matches a day", 50), ("bots", 10)):
            assert (account["limits"][name], account["usage"][name]) == (most, 0)
