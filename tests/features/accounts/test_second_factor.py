# SPDX-License-Identifier: GPL-3.0-or-later
"""The second factor: codes of an authenticator app, recovery codes, and the setting that requires it."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
import segno

from arena.features.accounts.limits import Guesses
from arena.features.accounts.qr import qr_code
from arena.features.accounts.settings import AccountSettings
from arena.features.accounts.totp import NEAR, STEP, address_of, code_at, make_secret, step_of
from arena.settings import Settings
from tests.features.accounts.people import PASSWORD, Browser, browser, part_of, program, signed_in
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOW = 1_000_000_000.0
RFC_SECRET = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
async def test_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    assert code_at(RFC_SECRET, seconds // STEP, digits=8) == code
    assert code_at(RFC_SECRET, seconds // STEP) == code[2:]


async def test_codes_of_near_steps_count() -> None:
    secret, now = make_secret(), NOW
    current = int(now // STEP)
    for step in range(current - 3, current + 4):
        near = abs(step - current) <= NEAR
        assert (step_of(secret, code_at(secret, step), now) == step) is near
    assert step_of(secret, f" {code_at(secret, current)[:3]} {code_at(secret, current)[3:]}", now) == current
    for wrong in ("", "000", "äöü", "1234567"):
        assert step_of(secret, wrong, now) is None


async def test_an_app_reads_the_address() -> None:
    assert address_of("ABC", "mar.ion").startswith(
        "otpauth://totp/Bot%20Arena%3Amar.ion?secret=ABC&issuer=Bot%20Arena&"
    )


async def test_a_qr_code_has_the_address() -> None:
    """Each dark square of the path is one of the code, and a light border of 4 squares is around it."""
    address = address_of(make_secret(), "mar.ion")
    found = qr_code(address)
    drawn = [[0] * found.size for _ in range(found.size)]
    for column, line, length, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", found.path):
        assert length == back
        drawn[int(line)][int(column) : int(column) + int(length)] = [1] * int(length)
    code = segno.make_qr(address, error="m")
    assert drawn == [[int(dark) for dark in line] for line in code.matrix_iter(border=4)]
    assert re.sub(r"M\d+ \d+h\d+v1h-\d+z", "", found.path) == ""


async def switched_on(door: Door, one: Browser) -> tuple[str, int, list[str]]:
    """Switch the second factor on; return the secret, the step that was used, and the recovery codes."""
    part_of(door).now = lambda: NOW
    status, made, _ = await one.post("/account/second-factor", {"password": PASSWORD})
    assert status == 200
    step = int(NOW // STEP)
    status, answer, _ = await one.post("/account/second-factor/confirm", {"code": code_at(made["secret"], step)})
    assert (status, len(answer["recovery_codes"])) == (200, 10)
    return made["secret"], step, answer["recovery_codes"]


async def sign_in(one: Browser, name: str, code: str = "", password: str = PASSWORD) -> tuple[int, Any]:
    """Try to sign in; return the status and the code of the error."""
    status, answer, _ = await one.post("/sessions", {"name": name, "password": password, "code": code})
    return status, answer.get("error", {}).get("code")


async def test_signing_in_takes_a_code_which_counts_once(door: Door) -> None:
    async with signed_in(door) as (one, name), browser(door) as other:
        assert (await one.post("/account/second-factor", {"password": "wrong"}))[0] == 403
        assert not (await one.get("/account"))[1]["second_factor"]
        secret, step, _ = await switched_on(door, one)
        assert (await one.get("/account"))[1]["second_factor"]
        assert (await one.post("/account/second-factor", {"password": PASSWORD}))[0] == 409, "it stays as it is"
        assert await sign_in(other, name) == (401, "second-factor")
        assert (await other.get("/account"))[0] == 401
        assert await sign_in(other, name, password="wrong password") == (401, "not-allowed"), "nothing of the factor"
        assert await sign_in(other, name, code_at(secret, step)) == (401, "second-factor"), "used when it was confirmed"
        assert await sign_in(other, name, code_at(secret, step + 1)) == (200, None)
        assert await sign_in(other, name, code_at(secret, step + 1)) == (401, "second-factor")
        row = await part_of(door).accounts.find(name)
        await part_of(door).second_factors.remove(row.id)  # as `arena accounts second-factor-off` does
        assert await sign_in(other, name) == (200, None)


async def test_recovery_codes_count_once_each_and_for_their_account_only(door: Door) -> None:
    async with signed_in(door) as (one, name), signed_in(door) as (another, other_name), browser(door) as third:
        _, _, codes = await switched_on(door, one)
        _, _, others = await switched_on(door, another)
        assert await sign_in(third, name, others[0]) == (401, "second-factor")
        assert await sign_in(third, other_name, others[0]) == (200, None), "the refusal did not use it up"
        for code in codes[:2]:
            assert await sign_in(third, name, code.upper()) == (200, None)
            assert await sign_in(third, name, code) == (401, "second-factor")
        assert (await one.post("/account/second-factor/remove", {"password": "wrong"}))[0] == 403
        assert (await one.post("/account/second-factor/remove", {"password": PASSWORD}))[0] == 200
        assert await sign_in(third, name) == (200, None)


async def test_wrong_codes_are_throttled(tmp_path: Path) -> None:
    settings = Settings(games="tictactoe", ladder=False)
    async with opened(tmp_path, settings) as door, signed_in(door) as (one, name), browser(door) as other:
        secret, step, _ = await switched_on(door, one)
        part_of(door).guesses = Guesses(3, lambda: 0.0)
        for _ in range(5):
            assert await sign_in(other, name) == (401, "second-factor"), "asking is no attempt"
        for _ in range(3):
            assert (await sign_in(other, name, "000"))[0] == 401
        assert (await sign_in(other, name, code_at(secret, step + 1)))[0] == 429


async def test_it_may_be_required_of_organisers_and_administrators(tmp_path: Path) -> None:
    required = Settings(games="tictactoe", ladder=False, features=(AccountSettings(require_second_factor=True),))
    async with opened(tmp_path, required) as door:
        async with signed_in(door) as (owner, _):
            assert not (await owner.get("/account"))[1]["needs_second_factor"]
        async with signed_in(door, role="administrator") as (one, _):
            _, account = await one.get("/account")
            assert (account["scopes"], account["needs_second_factor"]) == (["play", "submit"], True)
            assert (await one.get("/accounts"))[0] == 403
            assert (await one.post("/account/tokens", {"label": "", "scopes": ["administer"]}))[0] == 403
            await switched_on(door, one)
            _, account = await one.get("/account")
            assert (len(account["scopes"]), account["needs_second_factor"]) == (4, False)
            assert (await one.get("/accounts"))[0] == 200
        shown = await program(door, "administrator")
        async with door.http.get("/api/v1/accounts", headers=shown) as response:
            assert response.status == 200, "tokens keep their scopes"
