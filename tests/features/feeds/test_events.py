# SPDX-License-Identifier: GPL-3.0-or-later
"""Which webhooks hear of an event."""

from dataclasses import replace

import pytest

from arena.features.feeds.rows import EVENTS, Filter, WebhookRow
from arena.features.feeds.webhooks.events import BACK, Happened, wanted

HOOK = WebhookRow(1, 1, "anna", "http://example.org/", EVENTS, Filter(), 100.0, 100.0, 0, None, "")
MATCH = Happened("match.over", "match:1", 200.0, {}, (5, 6), 9, ("chess",))
TOURNAMENT = Happened("tournament.over", "tournament:9", 200.0, {}, (5, 6), 9, ("chess",))
QUARANTINE = Happened("bot.quarantined", "quarantine:1", 200.0, {}, (5,))
ACCEPTED = Happened("version.accepted", "version:1", 200.0, {}, (5,), games=("chess", "nim"))


@pytest.mark.parametrize(
    ("only", "own", "heard"),
    [
        (Filter(), (5,), (True, True, True, True)),
        (Filter(), (), (False, True, False, False)),
        (Filter(bot=5), (), (True, True, False, False)),
        (Filter(bot=5), (5,), (True, True, True, True)),
        (Filter(bot=7), (5, 7), (False, False, False, False)),
        (Filter(tournament=9), (), (True, True, False, False)),
        (Filter(tournament=8), (5,), (False, False, False, False)),
        (Filter(game="chess"), (), (False, True, False, False)),
        (Filter(game="chess"), (5,), (True, True, False, True)),
        (Filter(game="nim"), (5,), (False, False, False, True)),
        (Filter(bot=5, game="nim"), (5,), (False, False, False, True)),
    ],
)
def test_filters(only: Filter, own: tuple[int, ...], heard: tuple[bool, ...]) -> None:
    hook = replace(HOOK, filter=only)
    assert tuple(wanted(hook, each, own) for each in (MATCH, TOURNAMENT, QUARANTINE, ACCEPTED)) == heard


def test_a_webhook_hears_of_its_events_only_and_of_no_earlier_ones() -> None:
    assert not wanted(replace(HOOK, events=("tournament.over",)), MATCH, (5,))
    assert not wanted(replace(HOOK, created=201.0), MATCH, (5,))
    assert wanted(replace(HOOK, seen=200.0 + BACK), MATCH, (5,))
    assert not wanted(replace(HOOK, seen=201.0 + BACK), MATCH, (5,)), "it was disabled then"
