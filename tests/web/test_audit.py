# SPDX-License-Identifier: GPL-3.0-or-later
"""The audit log over the API: operators' orders go in, and operators alone read it."""

from typing import Any

import pytest

from arena.connections.admission import make_token
from tests.web.door import Door
from tests.web.test_tournaments import cup, operator, post

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def read(door: Door, headers: dict[str, str], query: str = "") -> tuple[int, Any]:
    async with door.http.get(f"/api/v1/audit{query}", headers=headers) as response:
        return response.status, await response.json()


async def test_actions_of_operators_are_listed_with_name_time_and_origin(door: Door) -> None:
    one, other = (await door.register())[0], (await door.register())[0]
    headers = await operator(door)
    status, created = await post(door, "/tournaments", cup(one, other), headers)
    assert status == 200, created
    path = f"/tournaments/{created['id']}/status"
    assert (await post(door, path, {"status": "cancelled"}, headers))[0] == 200
    assert (await post(door, path, {"status": "running"}, headers))[0] == 409
    status, answer = await read(door, headers)
    assert status == 200
    cancelled, create = answer["items"][:2]
    assert (cancelled["action"], create["action"]) == (
        "POST /api/v1/tournaments/{id}/status",
        "POST /api/v1/tournaments",
    )
    assert cancelled["details"] == {"id": created["id"], "body": {"status": "cancelled"}}
    assert cancelled["who"] == create["who"]
    assert create["who"].startswith("operator ")
    assert cancelled["origin"] == "127.0.0.1"
    assert [entry["name"] for entry in create["details"]["body"]["entries"]] == [one, other]
    assert headers["Authorization"].split()[1] not in str(answer)
    assert cancelled["time"] >= create["time"]


async def test_only_operators_read_the_audit_log(door: Door) -> None:
    _, token = await door.register()
    for headers in ({}, {"Authorization": f"Bearer {token}"}, {"Authorization": f"Bearer {make_token()}"}):
        status, answer = await read(door, headers)
        assert (status, answer["error"]["code"]) == (401, "not-allowed")


async def test_the_audit_log_is_paged(door: Door) -> None:
    headers = await operator(door)
    for number in range(3):
        one, other = (await door.register())[0], (await door.register())[0]
        assert (await post(door, "/tournaments", cup(one, other, name=f"Cup {number}"), headers))[0] == 200
    _, page = await read(door, headers, "?limit=2")
    _, rest = await read(door, headers, f"?limit=1&after={page['next']}")
    names = [item["details"]["body"]["name"] for item in page["items"] + rest["items"]]
    assert names == ["Cup 2", "Cup 1", "Cup 0"]
    assert (await read(door, headers, "?since=99999999999"))[1]["items"] == []
