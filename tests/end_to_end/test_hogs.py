# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots with a token each against a real server: what they want to take, and what they get."""

import asyncio
from collections import Counter
from pathlib import Path

from arena.matches.search_info import MOVE_BYTES
from arena.store import Store
from engine.match.events import Moved, decode_event, encode_event
from lab.proofs.attacks.abusive_bots import InfoSpammer, SeatHog
from tests.end_to_end.server import Server
from tests.end_to_end.witness import until
from tests.web.players import connected

DAY_BYTES = 100_000
MATCH_BYTES = 20_000


async def test_search_info_fills_no_disk_and_costs_no_move(tmp_path: Path) -> None:
    server = Server(
        tmp_path, "--no-built-in-bots", "--games", "checkers", "--info-match-bytes", str(MATCH_BYTES),
        "--info-day-bytes",
        str(DAY_BYTES), "--max-plies", "60", real=True,
    )  # fmt: skip
    tokens = await server.register("one", "two")
    await server.start()
    await server.ready()
    spammer = InfoSpammer(server.play_url, tokens, variation=4)
    running = asyncio.create_task(spammer.run())
    try:
        await until([running], lambda: spammer.moves >= 400)
        metrics = await server.text("/metrics")
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await server.stop()
    assert not spammer.errors
    assert 'arena_info_bytes_total{outcome="dropped"}' in metrics
    spent: Counter[int] = Counter()
    moves = 0
    async with await Store.open(server.database) as store:
        for row in (await store.matches.page(None, limit=500)).items:
            stored = await store.matches.get(row.id)
            assert stored is not None
            in_match: Counter[int] = Counter()
            for event in (decode_event(each.body) for each in stored.events):
                if isinstance(event, Moved):
                    moves += 1
                    bare = Moved(event.ply, event.seat, event.move, event.elapsed, event.clock)
                    size = len(encode_event(event)) - len(encode_event(bare))
                    assert size <= MOVE_BYTES + len(',"info":')
                    in_match[row.players[event.seat].bot_id] += size
            assert max(in_match.values(), default=0) <= 1.01 * MATCH_BYTES
            spent += in_match
    assert moves >= 400
    assert len(spent) == 2
    assert DAY_BYTES / 2 < max(spent.values()) <= 1.01 * 2 * DAY_BYTES, "midnight may come meanwhile"


async def test_a_bot_that_never_moves_holds_few_places_of_built_in_bots(tmp_path: Path) -> None:
    server = Server(
        tmp_path, "--games", "tictactoe", "--learning", "no", "--ladder-interval", "0.1",
        "--ladder-pause", "0", "--built-in-matches", "0", real=True,
    )  # fmt: skip
    tokens = await server.register("hog", "honest")
    await server.start()
    await server.ready()
    hog = SeatHog(server.play_url, tokens["hog"], "tictactoe", ladder=True)
    running = asyncio.create_task(hog.run())
    try:
        # one built-in bot has nothing to compile, and is there at once
        await until([running], lambda: hog.asked["random"] > 8)
        assert "random" in hog.held.values(), "some places it gets"
        assert max(Counter(hog.held.values()).values()) <= 2, "of sixteen"
        assert any("the limit is 600 s for 40 moves" in text for text in hog.refused)
        assert any("plays at most 2 matches at once with one bot, and 4 with all" in text for text in hog.refused)
        async with connected(server.play_url) as honest:
            await honest.hello(tokens["honest"], ["tictactoe"], capacity=2, ladder=False)
            for name in set(hog.held.values()):
                await honest.say("challenge", opponent=name, game="tictactoe")
                assert (await honest.hear("challenge-closed"))["outcome"] == "accepted"
                match = (await honest.hear("match"))["match"]
                await honest.say("resign", match=match)
                await honest.hear("over")
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await server.stop()
