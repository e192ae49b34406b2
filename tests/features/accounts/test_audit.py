# SPDX-License-Identifier: GPL-3.0-or-later
"""The audit log over the API: requests of organisers are in it, and administrators alone read it."""

import pytest

from arena.connections.admission import make_token
from tests.features.accounts.people import program, read_audit
from tests.web.door import Door
from tests.web.test_tournaments import cup, operator, post

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_actions_of_operators_are_listed_with_name_time_and_origin(door: Door) -> None:
    one, other = (await door.register())[0], (await door.register())[0]
    headers = await operator(door)
    status, created = await post(door, "/tournaments", cup(one, other), headers)
    assert status == 200, created
    path = f"/tournaments/{created['id']}/status"
    assert (await post(door, path, {"status": "cancelled"}, headers))[0] == 200
    assert (await post(door, path, {"status": "running"}, headers))[0] == 409
    status, answer = await read_audit(door, await program(door, "administrator"))
    assert status == 200
    cancelled, create = answer["items"][:2]
    assert (cancelled["action"], create["action"]) == (
        "POST /api/v1/tournaments/{id}/status",
        "POST /api/v1/tournaments",
    )
    assert cancelled["details"] == {"id": created["id"], "body": {"status": "cancelled"}}
    assert cancelled["account"] == create["account"]
    assert create["account"].startswith("operator ")
    assert cancelled["origin"] == "127.0.0.1"
    assert [entry["name"] for entry in create["details"]["body"]["entries"]] == [one, other]
    assert headers["Authorization"].split()[1] not in str(answer)
    assert cancelled["time"] >= create["time"]


async def test_only_administrators_read_the_audit_log(door: Door) -> None:
    _, token = await door.register()
    for headers in ({}, {"Authorization": f"Bearer {token}"}, {"Authorization": f"Bearer {make_token()}"}):
        status, answer = await read_audit(door, headers)
        assert (status, answer["error"]["code"]) == (401, "not-allowed")
    for headers in (await program(door, "organiser"), await program(door, "administrator", ["organise"])):
        status, answer = await read_audit(door, headers)
        assert (status, answer["error"]["code"]) == (403, "forbidden")


async def test_the_audit_log_is_paged(door: Door) -> None:
    headers = await operator(door)
    for number in range(3):
        one, other = (await door.register())[0], (await door.register())[0]
        assert (await post(door, "/tournaments", cup(one, other, name=f"Cup {number}"), headers))[0] == 200
    head = await program(door, "administrator")
    _, page = await read_audit(door, head, "?limit=2")
    _, rest = await read_audit(door, head, f"?limit=1&after={page['next']}")
    names = [item["details"]["body"]["name"] for item in page["items"] + rest["items"]]
    assert names == ["Cup 2", "Cup 1", "Cup 0"]
    assert (await read_audit(door, head, "?since=99999999999"))[1]["items"] == []
