# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations over the API: everybody reads, breeders report."""

from typing import Any

import pytest

from arena.connections.admission import hash_token, make_token
from arena.features.populations import BREEDER
from tests.web.door import Door
from tests.web.test_match import get
from tests.web.test_tournaments import operator, post

pytestmark = pytest.mark.asyncio(loop_scope="session")

GENES = [{"name": "man", "low": 0, "high": 10, "standard": 1}, {"name": "king", "low": 0, "high": 10, "standard": 5}]
NUMBERS = iter(range(1, 1000))


def spec(**more: Any) -> dict[str, Any]:
    """Describe a population of a new name."""
    about = {"name": f"Home {next(NUMBERS)}", "game": "tictactoe", "schema": "tictactoe/lines", "dynamics": "any"}
    return {**about, "seed": 1, "size": 2, "genes": GENES} | more


def member(number: int, *values: float, born: int = 0, parents: list[int] | None = None) -> dict[str, Any]:
    """Describe a member."""
    return {"number": number, "values": values, "born": born, "origin": "mutant", "parents": parents or []}


def generation(number: int, *members: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Describe a generation; its first member is the best."""
    about = {"number": number, "games": 4 * number, "mean": [1, 2], "sigma": [0, 1], "best": members[0]["number"]}
    return about | {"members": members, "kept": {"secret": number}} | more


FIRST = generation(0, member(0, 1, 5), member(1, 2, 6))
SECOND = generation(1, member(2, 3, 3, born=1, parents=[1]), member(1, 2, 6))


async def test_a_breeder_reports_and_everybody_sees_it(door: Door) -> None:
    headers, about = await operator(door), spec()
    status, made = await post(door, "/populations", about, headers)
    assert (status, made["generations"]) == (200, 0)
    path = f"/populations/{made['id']}"
    assert (await post(door, "/populations", about, headers))[1] == made
    empty = await get(door, path, "PopulationDetailAnswer")
    assert (empty["newest"], empty["lineage"], empty["course"]) == (None, [], [])
    for report in (FIRST, SECOND, SECOND, FIRST):
        status, kept = await post(door, f"{path}/generations", report, headers)
        assert (status, kept["number"]) == (200, report["number"])
    shown = await get(door, path, "PopulationDetailAnswer")
    assert shown["generations"] == 2
    assert [point["mean"] for point in shown["course"]] == [[1, 2], [1, 2]]
    assert [each["number"] for each in shown["lineage"]] == [2, 1]
    assert shown["newest"]["kept"] == {}
    assert (await get(door, f"{path}/newest", "GenerationReport"))["kept"] == {"secret": 1}
    listed = await get(door, "/populations?limit=1", "PopulationsAnswer")
    assert listed["items"][0]["id"] == made["id"]


@pytest.mark.parametrize(
    ("report", "status", "why"),
    [
        (generation(3, member(2, 1, 1, born=3)), 409, "the next is 1"),
        (FIRST | {"games": 9}, 409, "the next is 1"),
        (generation(1, member(0, 1, 5), member(1, 9, 9)), 400, "member 1 differs from its earlier report"),
        (generation(1, member(2, 11, 1, born=1)), 400, "man of member 2 must be from 0 to 10 (got 11)"),
        (generation(1, member(2, 1, born=1)), 400, "has 1 values for 2 genes"),
        (
            generation(1, member(2, 1, 1, born=0)),
            400,
            "was born in generation 0, but is missing in the generation before",
        ),
        (generation(1, member(2, 1, 1, born=7)), 400, "after the reported one"),
        (generation(1, member(5, 1, 1, born=1, parents=[8])), 400, "which came later"),
        (generation(1, member(2, 1, 1, born=1), member(2, 1, 2, born=1)), 400, "two members have the same number"),
        (generation(1, member(1, 2, 6), best=4), 400, "is not among the members"),
        (generation(1, member(1, 2, 6), mean=[1]), 400, "one for each gene"),
        (generation(1, member(1, 2, 6), games=-1), 400, "the body is not"),
        ({"number": 1}, 400, "the body is not"),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(
    door: Door, report: dict[str, Any], status: int, why: str
) -> None:
    headers = await operator(door)
    _, made = await post(door, "/populations", spec(), headers)
    path = f"/populations/{made['id']}/generations"
    await post(door, path, FIRST, headers)
    told, answer = await post(door, path, report, headers)
    assert told == status, answer
    assert why in answer["error"]["message"]
    assert (await get(door, f"/populations/{made['id']}", "PopulationDetailAnswer"))["generations"] == 1


async def test_only_operators_report(door: Door) -> None:
    headers, about = await operator(door), spec()
    assert (await post(door, "/populations", about))[0] == 401
    _, made = await post(door, "/populations", about, headers)
    assert (await post(door, f"/populations/{made['id']}/generations", FIRST))[0] == 401
    assert (await post(door, "/populations", spec(name=about["name"]) | {"seed": 2}, headers))[0] == 409
    assert (await post(door, "/populations", spec(game="go"), headers))[0] == 400
    assert (await post(door, "/populations", spec(genes=[GENES[0], GENES[0]]), headers))[0] == 400
    assert (await post(door, "/populations/9999/generations", FIRST, headers))[0] == 404
    async with door.http.get(f"/api/v1/populations/{made['id']}/newest") as response:
        assert response.status == 404


async def test_the_audit_log_omits_the_breeder(door: Door) -> None:
    token = make_token()
    door.arena.store.operators.admit(BREEDER, hash_token(token))
    headers = {"Authorization": f"Bearer {token}"}
    before = await door.arena.store.audit_log.page()
    assert (await post(door, "/populations", spec(), headers))[0] == 200
    assert await door.arena.store.audit_log.page() == before


async def test_one_order_seats_a_name_once(door: Door) -> None:
    headers = await operator(door)
    _, made = await post(door, "/populations", spec(), headers)
    told, answer = await post(
        door, f"/populations/{made['id']}/seats", {"names": ["seat-x", "seat-y", "seat-x"]}, headers
    )
    assert told == 400
    assert answer["error"]["message"] == "a name is given twice"
    assert await door.arena.store.bots.named("seat-x") is None, "none is registered"
