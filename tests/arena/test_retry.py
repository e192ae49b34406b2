# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from arena.store import errors
from arena.store.errors import Busy, MatchFinished, StoreError, keep_trying
from arena.store.rows import StoredMatch
from tests.arena.conftest import OpenArena
from tests.arena.peers import duel


class Store:
    """Fails a number of times before it answers."""

    def __init__(self, failures: int, error: StoreError) -> None:
        self.failures = failures
        self.error = error
        self.asked = 0

    async def ask(self) -> str:
        self.asked += 1
        if self.asked <= self.failures:
            raise self.error
        return "done"


@pytest.fixture(name="impatient")
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "WAITS", (0.0, 0.0, 0.0))


@pytest.mark.parametrize("failed", [0.0, 1.0, 2.5])
async def test_a_moment_in_which_the_store_answers_is_not_missed(
    monkeypatch: pytest.MonkeyPatch, failed: float
) -> None:
    now = failed

    async def pass_time(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def ask() -> float:
        if now % 3.6 < 3.0:
            raise StoreError("full")
        return now

    monkeypatch.setattr("asyncio.sleep", pass_time)
    assert await keep_trying(ask) < 3.6, "the first moment of all"


@pytest.mark.usefixtures("impatient")
async def test_a_store_that_fails_for_a_moment_is_asked_again() -> None:
    store = Store(3, Busy("locked"))
    assert await keep_trying(store.ask) == "done"
    assert store.asked == 4


@pytest.mark.usefixtures("impatient")
async def test_a_store_that_goes_on_failing_is_given_up() -> None:
    store = Store(99, Busy("full"))
    with pytest.raises(Busy):
        await keep_trying(store.ask)
    assert store.asked == 4


async def test_a_refusal_is_final() -> None:
    store = Store(1, MatchFinished("over"))
    with pytest.raises(MatchFinished):
        await keep_trying(store.ask)
    assert store.asked == 1


@pytest.mark.usefixtures("impatient")
async def test_a_match_that_was_started_is_played_though_the_store_fails_right_then(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    ask, failures = arena.store.matches.get, iter([True])

    async def get(match: int) -> StoredMatch | None:
        if next(failures, False):
            raise StoreError("away")
        return await ask(match)

    monkeypatch.setattr(arena.store.matches, "get", get)
    game = await duel(arena)
    assert next(failures, None) is None
    assert game.match in arena.live
