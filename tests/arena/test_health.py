# SPDX-License-Identifier: GPL-3.0-or-later
"""What an arena says of itself: readiness by game, and what keeps matches from starting."""

from arena.monitoring import Health, assess

LOADING = (False, "its rules are being loaded or compiled", False)
FAILED = (False, "its rules cannot be compiled: no memory", True)
LOADED = (True, "", False)


def health(
    games: dict[str, tuple[bool, str, bool]],
    *,
    prepared: bool = True,
    trouble: str = "",
    lost: str = "",
    warming: str = "",
) -> Health:
    return assess(games, prepared=prepared, trouble=trouble, lost=lost, warming=warming)


def test_a_game_is_ready_when_its_rules_are_loaded_and_the_store_writes() -> None:
    found = health({"chess": LOADED, "nim": LOADED})
    assert (found.ready, found.reasons, found.problems) == (True, [], [])
    assert found.games["chess"] == (True, "")


def test_one_game_that_is_not_ready_keeps_no_other_back() -> None:
    found = health({"chess": LOADED, "nim": LOADING}, prepared=False)
    assert (found.ready, found.games["chess"].ready, found.games["nim"]) == (False, True, LOADING[:2])
    assert (found.reasons, found.problems) == ([f"nim: {LOADING[1]}"], [])


def test_rules_that_fail_are_a_problem() -> None:
    found = health({"chess": LOADED, "nim": FAILED})
    assert (found.ready, found.games["chess"].ready) == (False, True)
    assert found.problems == found.reasons == [f"nim: {FAILED[1]}"]


def test_built_in_bots_that_still_compile_are_reported_and_hold_nothing_up() -> None:
    found = health({"nim": LOADED}, warming="nim: searchers 2/8")
    assert (found.ready, found.problems) == (True, [])
    assert found.reasons == ["built-in bots are being prepared: nim: searchers 2/8"]


def test_no_game_is_ready_while_nothing_can_be_written() -> None:
    found = health({"nim": LOADED, "chess": LOADING}, trouble="nothing can be written: disk full")
    assert (found.ready, found.games["nim"]) == (False, (False, "nothing can be written: disk full"))
    assert found.trouble in found.problems
    assert health({"nim": LOADED}, lost="another server took over this database").trouble.startswith("another server")


def test_matches_that_are_being_resumed_are_reported() -> None:
    found = health({"nim": LOADED}, prepared=False)
    assert (found.ready, found.games["nim"].ready) == (False, True)
    assert found.reasons == ["matches of before the restart are being taken up"]
