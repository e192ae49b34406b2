# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from arena import insistence
from arena.insistence import insist
from arena.store.errors import Busy, MatchFinished, StoreError


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


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insistence, "WAITS", (0.0, 0.0, 0.0))


async def test_a_store_that_fails_for_a_moment_is_asked_again() -> None:
    store = Store(3, Busy("locked"))
    assert await insist(store.ask) == "done"
    assert store.asked == 4


async def test_a_store_that_goes_on_failing_is_given_up() -> None:
    store = Store(99, Busy("full"))
    with pytest.raises(Busy):
        await insist(store.ask)
    assert store.asked == 4


async def test_a_refusal_is_final() -> None:
    store = Store(1, MatchFinished("over"))
    with pytest.raises(MatchFinished):
        await insist(store.ask)
    assert store.asked == 1
