# SPDX-License-Identifier: GPL-3.0-or-later
"""Signing up, in and out, over the API."""

import asyncio
import json
from http.cookies import Morsel
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from argon2 import extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from arena.connections.admission import hash_token
from arena.features.accounts import passwords
from arena.features.accounts.access import COOKIE
from arena.features.accounts.api import signing
from arena.features.accounts.limits import ESTIMATES, Estimates, Guesses, SignUps
from arena.features.accounts.passwords import FEWEST_GUESSES, SHORTEST, hasher
from arena.features.accounts.settings import AccountSettings
from arena.settings import Settings
from tests.features.accounts.people import PASSWORD, Browser, browser, new_name, part_of, signed_in
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")


def settings(**values: Any) -> Settings:
    """Return settings with some of accounts."""
    return Settings(games="tictactoe", ladder=False, features=(AccountSettings(**values),))


def session_of(one: Browser) -> Morsel[str]:
    """Return the cookie of a browser's session; the one beside it holds no secret."""
    return next(cookie for cookie in one.http.cookie_jar if cookie.key == COOKIE)


async def test_somebody_signs_up_and_is_signed_in(door: Door) -> None:
    name = new_name()
    async with browser(door) as one:
        assert (await one.get("/account"))[0] == 401
        status, answer, headers = await one.post("/accounts", {"name": name, "password": PASSWORD})
        assert (status, answer["account"]["name"], answer["account"]["role"]) == (200, name, "owner")
        cookie = headers["Set-Cookie"]
        for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"):
            assert part in cookie
        assert "Secure" not in cookie, "the client's scheme is http"
        assert headers["Cache-Control"] == "no-store"
        status, account = await one.get("/account")
        assert (status, account["name"], account["role"]) == (200, name, "owner")
        assert (account["limits"]["bots"], account["usage"]["bots"]) == (10, 0)
    row = await part_of(door).accounts.find(name)
    assert row.password_hash is not None
    assert row.password_hash.startswith("$argon2id$")
    assert PASSWORD not in row.password_hash
    entry = (await door.arena.store.audit_log.page(limit=1)).items[0]
    assert (entry.account, entry.action, entry.details) == (name, "POST /api/v1/accounts", "{}")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("eleven-char", "12 characters or more"),
        ("x" * 201, "at most 200"),
        ("aaaaaaaaaaaa", "easy"),
        ("person-of-old", ""),
    ],
)
async def test_bad_passwords_are_refused(door: Door, password: str, why: str) -> None:
    async with browser(door) as one:
        status, answer, _ = await one.post("/accounts", {"name": "person-of-old", "password": password})
    assert status == 400
    assert why in answer["error"]["message"]


@pytest.mark.parametrize(
    "password",
    [
        "1qaz2wsx3edc",
        "password1234",
        "P@ssw0rd1234",
        "iloveyou1234",
        "QWERTYUIOPASDF",
        "abcdefghijkl",
        "letmeinletmein",
    ],
)
async def test_common_passwords_are_refused(door: Door, password: str) -> None:
    async with browser(door) as one:
        status, answer, _ = await one.post("/accounts", {"name": new_name(), "password": password})
    assert (status, "easy to guess" in answer["error"]["message"]) == (400, True)
    async with signed_in(door) as (one, _):
        assert (await one.post("/account/password", {"old": PASSWORD, "new": password}))[0] == 400


async def test_every_common_password_that_is_long_enough_is_refused() -> None:
    from zxcvbn.matching import RANKED_DICTIONARIES

    common = [word for word in RANKED_DICTIONARIES["passwords"] if len(word) >= SHORTEST]
    assert len(common) > 100
    assert [word for word in common if passwords.guesses(word) >= FEWEST_GUESSES] == []


async def test_the_strength_of_a_password_is_estimated(door: Door) -> None:
    part_of(door).estimates = Estimates(lambda: 0.0)
    async with browser(door) as one:
        for password, strength, reason in (
            ("short", "weak", "12 characters or more"),
            ("password1234", "weak", "easy to guess"),
            ("tuesdaymonday", "fair", ""),
            ("saturdaytree42", "good", ""),
            (PASSWORD, "strong", ""),
        ):
            status, answer, headers = await one.post("/password-estimates", {"password": password})
            assert (status, answer["strength"], reason in answer["reason"]) == (200, strength, True), password
            assert headers["Cache-Control"] == "no-store"
        other = {"Origin": "https://evil.example"}
        assert (await one.post("/password-estimates", {"password": PASSWORD}, other))[0] == 403
        answers = [await one.post("/password-estimates", {"password": "short"}) for _ in range(ESTIMATES - 4)]
        assert [status for status, *_ in answers] == [200] * (ESTIMATES - 5) + [429], "each address has a limit"


async def test_a_refused_password_is_no_new_account(tmp_path: Path) -> None:
    async with opened(tmp_path, settings()) as door, browser(door) as one:
        part_of(door).sign_ups = SignUps(1, lambda: 0.0)
        for name, password, status in (("a", "password1234", 400), ("b", PASSWORD, 200), ("c", PASSWORD, 429)):
            assert (await one.post("/accounts", {"name": name, "password": password}))[0] == status


async def test_the_same_answer_for_a_wrong_name_as_for_a_wrong_password(door: Door) -> None:
    async with signed_in(door) as (_, name), browser(door) as one:
        wrong = await one.post("/sessions", {"name": name, "password": "wrong password"})
        unknown = await one.post("/sessions", {"name": "nobody-at-all", "password": "wrong password"})
        assert wrong[:2] == unknown[:2]
        assert wrong[0] == 401
        assert "Set-Cookie" not in wrong[2]


async def test_an_unknown_name_costs_a_hash_too(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    quick = passwords.hasher()

    class Counting:
        def hash(self, password: str) -> str:
            return quick.hash(password)

        def verify(self, stored: str, password: str) -> bool:
            checked.append(password)
            return quick.verify(stored, password)

    counting = Counting()
    monkeypatch.setattr("arena.features.accounts.passwords.hasher", lambda: counting)
    for stored in (None, quick.hash("another")):
        assert not await part_of(door).passwords.matches(stored, "tried")
    assert checked == ["tried", "tried"]


async def test_signing_out_ends_the_session(door: Door) -> None:
    async with signed_in(door) as (one, _):
        cookie = session_of(one)
        secret = cookie.value
        status, _, headers = await one.post("/sessions/end")
        assert status == 200
        assert "Max-Age=0" in headers["Set-Cookie"]
        assert (await one.get("/account"))[0] == 401
    async with door.http.get("/api/v1/account", headers={"Cookie": f"arena_session={secret}"}) as response:
        assert response.status == 401, "the secret is worth nothing any more"


async def test_a_session_never_has_a_secret_that_somebody_chose(door: Door) -> None:
    """Session fixation: a secret that the browser had before it signed in is not the session's."""
    async with signed_in(door) as (one, name):
        first = session_of(one).value
        await one.post("/sessions", {"name": name, "password": PASSWORD})
        second = session_of(one).value
        assert first != second
        assert min(len(first), len(second)) >= 43, "256 bits in base 64"
        planted = {"Cookie": "arena_session=planted", "Origin": one.origin}
        body = {"name": name, "password": PASSWORD}
        async with door.http.post("/api/v1/sessions", json=body, headers=planted) as response:
            assert response.status == 200
            assert response.cookies["arena_session"].value != "planted"
        door.http.cookie_jar.clear()
    for secret in (first, "planted"):
        async with door.http.get("/api/v1/account", headers={"Cookie": f"arena_session={secret}"}) as response:
            assert response.status == 401


async def test_the_store_knows_no_secret(door: Door) -> None:
    async with signed_in(door) as (one, name):
        status, made, _ = await one.post("/account/tokens", {"label": "laptop", "scopes": ["play"]})
        assert status == 200
        cookie = session_of(one)
        _, found = await one.get("/account/tokens")
        assert "token" not in found["items"][0]
    async with signed_in(door, role="administrator") as (head, _):
        _, invited, _ = await head.post("/invitations")
        _, reset, _ = await head.post(f"/accounts/{(await part_of(door).accounts.find(name)).id}/reset")
        assert min(len(invited["code"]), len(reset["code"])) >= 22, "128 bits in base 64"
    file = door.arena.store.file
    assert file is not None
    stored = b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
    for secret in (made["token"], cookie.value, PASSWORD, invited["code"], reset["code"]):
        assert secret.encode() not in stored
    assert hash_token(made["token"]).encode() in stored
    assert name.encode() in stored


async def test_pages_of_other_sites_cannot_use_the_cookie(door: Door) -> None:
    """Cross-site request forgery: the browser would send the cookie along, were it not SameSite=Strict."""
    async with signed_in(door) as (one, _):
        for headers in (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": f"http://{door.address}.evil.example"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {},
        ):
            status, answer, _ = await one.post("/account/tokens", {"label": "", "scopes": ["play"]}, headers)
            assert (status, answer["error"]["code"]) == (403, "foreign-origin"), headers
        assert (await one.get("/account/tokens"))[1]["items"] == []
        same = {"Sec-Fetch-Site": "same-origin"}
        assert (await one.post("/account/tokens", {"label": "", "scopes": ["play"]}, same))[0] == 200


async def test_pages_of_other_sites_cannot_sign_somebody_in(door: Door) -> None:
    async with signed_in(door) as (_, name), browser(door) as one:
        foreign = {"Origin": "https://evil.example"}
        for path in ("/sessions", "/accounts", "/password-resets", "/sessions/end"):
            body = {"name": name, "password": PASSWORD, "code": ""}
            assert (await one.post(path, body, foreign))[0] == 403, path
        assert len(one.http.cookie_jar) == 0


async def test_a_token_needs_no_page(door: Door) -> None:
    async with signed_in(door) as (one, name):
        _, made, _ = await one.post("/account/tokens", {"label": "", "scopes": ["play"]})
    shown = {"Authorization": f"Bearer {made['token']}"}
    async with door.http.get("/api/v1/account", headers=shown) as response:
        answer = await response.json()
    assert (answer["name"], answer["scopes"]) == (name, ["play"])


async def test_wrong_passwords_are_throttled_by_account_and_address(tmp_path: Path) -> None:
    """Credential stuffing: many names from one address, and one name from anywhere."""
    async with opened(tmp_path, settings()) as door, browser(door) as one:
        part = part_of(door)
        part.guesses = Guesses(3, lambda: 0.0)
        for name in ("a", "b", "c"):
            assert (await one.post("/sessions", {"name": name, "password": "x"}))[0] == 401
        status, _, headers = await one.post("/sessions", {"name": "d", "password": "x"})
        assert status == 429
        assert 1 <= int(headers["Retry-After"]) <= 60
        await part.accounts.add("marion", "owner", password_hash=await part.passwords.hash(PASSWORD))
        for _ in range(3):
            with pytest.raises(KeyError), part.guesses.attempt("elsewhere", "Marion"):
                raise KeyError
        status, *_ = await one.post("/sessions", {"name": "marion", "password": PASSWORD})
        assert status == 429


async def test_right_passwords_are_not_counted(tmp_path: Path) -> None:
    async with opened(tmp_path, settings()) as door, signed_in(door) as (one, name):
        part_of(door).guesses = Guesses(2, lambda: 0.0)
        for _ in range(5):
            assert (await one.post("/sessions", {"name": name, "password": PASSWORD}))[0] == 200


async def test_an_address_has_a_limit_of_sign_ups(tmp_path: Path) -> None:
    async with opened(tmp_path, settings()) as door, browser(door) as one:
        part_of(door).sign_ups = SignUps(2, lambda: 0.0)
        statuses = [
            (await one.post("/accounts", {"name": name, "password": PASSWORD}))[0] for name in ("anna", "bert", "carl")
        ]
        assert statuses == [200, 200, 429]


@pytest.mark.parametrize("mode", ["invited", "closed"])
async def test_sign_up_may_need_an_invitation(tmp_path: Path, mode: str) -> None:
    async with opened(tmp_path, settings(sign_up=mode)) as door, browser(door) as one:
        body = {"name": "marion", "password": PASSWORD}
        assert (await one.post("/accounts", body))[0] == 403
        assert (await one.post("/accounts", {**body, "code": "guessed"}))[0] == 403
        invited = await part_of(door).codes.invite(hash_token("code"), "organiser", 86_400.0)
        status, answer, _ = await one.post("/accounts", {**body, "code": "code"})
        if mode == "closed":
            assert status == 403
            return
        assert (status, answer["account"]["role"]) == (200, invited.role)
        assert (await one.post("/accounts", {"name": "robin", "password": PASSWORD, "code": "code"}))[0] == 403


async def test_the_first_administrator_needs_the_code_of_this_run(tmp_path: Path) -> None:
    async with opened(tmp_path, settings(sign_up="closed")) as door, browser(door) as one:
        part = part_of(door)
        await part.looked.wait()
        assert await part.accounts.all() == []
        code = part.first_code
        assert len(code) >= 20
        body = {"name": "marion", "password": PASSWORD, "code": code}
        status, answer, _ = await one.post("/accounts", body)
        assert (status, answer["account"]["role"]) == (200, "administrator")
        assert (await one.post("/accounts", {**body, "name": "robin"}))[0] == 403
        assert (await one.get("/accounts"))[1]["items"][0]["name"] == "marion"
    async with opened(tmp_path, settings()) as door:
        await part_of(door).looked.wait()
        assert part_of(door).first_code == ""


async def test_sign_up_is_open_where_only_this_machine_comes(door: Door) -> None:
    part = part_of(door)
    assert part.sign_up == "open"
    part.local = False
    try:
        assert part.sign_up == "invited"
    finally:
        part.local = True


async def test_the_cookie_is_secure_and_of_this_host_alone_behind_https(tmp_path: Path) -> None:
    behind = Settings(games="tictactoe", ladder=False, trusted_proxies="127.0.0.1", public_names="arena.example")
    async with opened(tmp_path, behind) as door, browser(door) as one:
        headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "Host": "arena.example"}
        body = {"name": "marion", "password": PASSWORD}
        secure = {**headers, "Origin": "https://arena.example"}
        _, _, answered = await one.post("/accounts", body, secure)
        cookies = answered.getall("Set-Cookie")
        assert all("Secure" in cookie and "Path=/" in cookie and "Domain" not in cookie for cookie in cookies)
        assert answered["Strict-Transport-Security"] == f"max-age={180 * 86_400}"
        secret = next(cookie for cookie in cookies if cookie.startswith("__Host-arena_session=")).split(";")[0]
        for cookie, status in ((secret, 200), (secret.removeprefix("__Host-"), 401)):
            async with door.http.get("/api/v1/account", headers={**headers, "Cookie": cookie}) as response:
                assert response.status == status, "only the name that no other site can set counts"
        async with door.http.get("/api/v1/account", headers={"Cookie": secret}) as response:
            assert response.status == 401, "by HTTP it counts for nothing"
            assert "Strict-Transport-Security" not in response.headers
        (session,) = await part_of(door).sessions.of(1, part_of(door).session_limits)
        assert session.address == "203.0.113.9"
        foreign = {**headers, "Origin": "http://arena.example"}
        assert (await one.post("/sessions", body, foreign))[0] == 403, "another scheme is another origin"


async def test_forwarding_headers_of_strangers_count_for_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, settings()) as door, browser(door) as one:
        part_of(door).guesses = Guesses(2, lambda: 0.0)
        statuses = []
        for place in range(4):
            headers = {"Origin": one.origin, "X-Forwarded-For": f"203.0.113.{place}"}
            statuses.append((await one.post("/sessions", {"name": f"n{place}", "password": "x"}, headers))[0])
        assert statuses == [401, 401, 429, 429]


async def test_passwords_are_hashed_with_the_recommended_parameters() -> None:
    one, other = hasher().hash(PASSWORD), hasher().hash(PASSWORD)
    assert extract_parameters(one) == RFC_9106_LOW_MEMORY
    assert one != other, "each has a salt of its own"


@pytest.mark.parametrize(
    "password",
    ["with  two spaces", "пароль с пробелами", "🐴🔋🧷🦊🌲🍐🚲🎻🧭🥁🪁🛶", "x" * 170 + " and an end of words"],
)
async def test_passwords_have_any_signs_and_are_not_cut(door: Door, password: str) -> None:
    name = new_name()
    async with browser(door) as one:
        assert (await one.post("/accounts", {"name": name, "password": password}))[0] == 200
        assert (await one.post("/sessions", {"name": name, "password": password[:-1]}))[0] == 401
        assert (await one.post("/sessions", {"name": name, "password": password}))[0] == 200


async def test_nobody_gives_oneself_a_role(door: Door) -> None:
    body = {"name": new_name(), "password": PASSWORD, "role": "administrator", "id": 1, "scopes": ["administer"]}
    async with browser(door) as one:
        status, answer, _ = await one.post("/accounts", body)
        assert (status, answer["account"]["role"]) == (200, "owner")
        assert (await one.get("/account"))[1]["scopes"] == ["play", "submit"]


async def test_a_refused_sign_in_is_logged_without_its_password(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(signing, "log", SimpleNamespace(warning=lambda event, **about: logged.append((event, about))))
    async with browser(door) as one:
        await one.post("/sessions", {"name": "nobody\n[info] forged", "password": "a secret of somebody"})
    assert logged == [("sign-in refused", {"account": "nobody [info] forged", "address": "127.0.0.1"})]


async def test_guessed_tokens_and_sessions_are_nobodys(door: Door) -> None:
    for headers in (
        {"Authorization": "Bearer arena_guessed"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic bWFyaW9uOng="},
        {"Cookie": "arena_session=guessed"},
        {"Cookie": "arena_session="},
        {"Cookie": "arena_session=\u00e4"},
    ):
        async with door.http.get("/api/v1/account", headers=headers) as response:
            assert response.status == 401, headers


async def test_a_token_that_is_shown_counts_instead_of_the_cookie(door: Door) -> None:
    async with signed_in(door) as (one, _):
        headers = {"Origin": one.origin, "Authorization": "Bearer arena_guessed"}
        assert (await one.post("/bots", {"name": new_name()}, headers))[0] == 401


@pytest.mark.parametrize(
    "text", ["\\ud800", "\\u0000", "\\u202e", "a" * 990, "'; DROP TABLE account; --", "%s\\r\\nX: 1"]
)
async def test_hostile_texts_are_refused_or_stored_as_texts(door: Door, text: str) -> None:
    async with browser(door) as one, signed_in(door, role="administrator") as (head, name):
        for session, path, fields in (
            (one, "/sessions", ("name", "password")),
            (one, "/accounts", ("name", "password", "code", "email")),
            (one, "/password-resets", ("code", "password")),
            (head, "/account/delete", ("password",)),
            (head, "/account/password", ("old", "new")),
            (head, "/account/tokens", ("label", "scopes")),
            (head, "/bots", ("name", "description")),
        ):
            for field in fields:
                good = {"name": new_name(), "password": PASSWORD, "old": PASSWORD, "new": PASSWORD, "scopes": ["play"]}
                good |= {"label": "", "code": "", "email": "", "description": ""}
                values = {each: good[each] for each in fields} | {field: "HERE"}
                body = json.dumps(values).replace("HERE", text)
                headers = {"Origin": session.origin, "User-Agent": "x\u00e4"}
                async with session.http.post(f"/api/v1{path}", data=body, headers=headers) as response:
                    assert response.status < 500, (path, field)
        assert await part_of(door).accounts.named(name) is not None


async def test_two_cookies_of_one_name_are_nobodys(door: Door) -> None:
    """A site below the same domain can add a cookie, with an attacker's session."""
    async with signed_in(door) as (one, _), signed_in(door) as (attacker, _):
        own, planted = session_of(one).value, session_of(attacker).value
    for first, second in ((own, planted), (planted, own)):
        headers = {"Cookie": f"arena_session={first}; arena_session={second}"}
        async with door.http.get("/api/v1/account", headers=headers) as response:
            assert response.status == 401
    async with door.http.get("/api/v1/account", headers={"Cookie": f"a=b; arena_session={own}"}) as response:
        assert response.status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
async def test_a_session_sends_no_body_of_a_form(door: Door, kind: str) -> None:
    async with signed_in(door) as (one, _):
        headers = {"Origin": one.origin, "Content-Type": kind}
        async with one.http.post("/api/v1/bots", data=b'{"name": "by-form"}', headers=headers) as response:
            assert (response.status, (await response.json())["error"]["code"]) == (415, "unsupported-type")
    assert await door.arena.store.bots.named("by-form") is None


async def test_refusals_are_never_cached(door: Door) -> None:
    async with signed_in(door) as (one, _):
        for path in ("/api/v1/accounts", "/api/v1/bots/987654321/versions", "/administration", "/api/v1/none"):
            async with one.http.get(path) as response:
                assert (response.status >= 400, response.headers["Cache-Control"]) == (True, "no-store"), path


async def test_one_first_administrator_of_many_at_once(tmp_path: Path) -> None:
    async with opened(tmp_path, settings(sign_up="closed", sign_in_attempts=100)) as door:
        part = part_of(door)
        await part.looked.wait()
        bodies = [{"name": new_name(), "password": PASSWORD, "code": part.first_code} for _ in range(4)]

        async def sign_up(body: dict[str, str]) -> int:
            async with door.http.post("/api/v1/accounts", json=body) as response:
                return response.status

        statuses = await asyncio.gather(*map(sign_up, bodies))
        assert sorted(statuses) == [200, 403, 403, 403]
        assert [row.role for row in await part.accounts.all()] == ["administrator"]


async def test_a_name_is_given_once_of_many_at_once(door: Door) -> None:
    name = new_name()
    names = [name, name.upper(), name.replace("-", "_"), name]

    async def sign_up(name: str) -> int:
        async with door.http.post("/api/v1/accounts", json={"name": name, "password": PASSWORD}) as response:
            return response.status

    assert sorted(await asyncio.gather(*map(sign_up, names))) == [200, 409, 409, 409]
