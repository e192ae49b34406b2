# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input on the sockets: a coded error or a clean close, never a traceback, never a match elsewhere that stalls."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest
import structlog
from aiohttp import WSMsgType
from websockets.exceptions import ConnectionClosed

from arena.protocol.codec import MAX_MESSAGE
from tests.arena.clock import standing_clock
from tests.arena.peers import PATIENCE, until
from tests.web.door import Door, opened, unhurried
from tests.web.players import RawBot, connected, first_move, patient, start_match
from web.sockets import OPEN

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def closing(bot: RawBot) -> tuple[int | None, list[str]]:
    """Read until the arena closes; return the close code and the codes of the errors before."""
    errors = []
    with suppress(ConnectionClosed):
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await bot.hear()
                if message["type"] == "error":
                    errors.append(message["code"])
    assert "Traceback" not in (bot.socket.close_reason or "")
    return bot.socket.close_code, errors


MALFORMED = [
    "",
    "{",
    "nonsense",
    "null",
    "[]",
    '"hello"',
    "{}",
    '{"type": 7}',
    '{"type": "move", "match": "one", "ply": 0, "move": "a1"}',
    '{"type": "move", "match": -1, "ply": 0, "move": "a1"}',
    '{"type": "move", "match": 1, "ply": 0, "move": "a1", "extra": true}',
    '{"type": "hello", "protocol": 1, "token": "x", "games": "tictactoe"}',
    "[" * 5000,
    '{"type": "resign", "match": 1e999}',
]


@pytest.mark.parametrize("text", MALFORMED)
async def test_malformed_messages_are_answered_with_a_code(door: Door, text: str) -> None:
    async with connected(door.play_url) as bot:
        await bot.socket.send(text)
        error = await bot.hear("error")
        assert error["code"] in ("malformed", "unknown-type"), error
        assert "Traceback" not in error["message"]


async def test_an_unknown_message_type_has_its_own_code(door: Door) -> None:
    async with connected(door.play_url) as bot:
        await bot.say("dance")
        assert (await bot.hear("error"))["code"] == "unknown-type"


async def test_a_message_before_hello_is_unexpected(door: Door) -> None:
    async with connected(door.play_url) as bot:
        await bot.say("resign", match=1)
        assert (await bot.hear("error"))["code"] == "unexpected"


async def test_too_many_bad_messages_close_the_socket(door: Door) -> None:
    async with connected(door.play_url) as bot:
        with suppress(ConnectionClosed):  # it may be closed before the last of them
            for _ in range(10):
                await bot.socket.send("{")
        code, errors = await closing(bot)
    assert code == 4400
    assert set(errors) == {"malformed"}


async def test_too_many_messages_close_the_socket(door: Door) -> None:
    _, token = await door.register()
    async with connected(door.play_url) as bot:
        await bot.hello(token, ["tictactoe"], ladder=False)
        with standing_clock():  # however slowly they come, they come at once
            with suppress(ConnectionClosed):
                for _ in range(5000):
                    await bot.say("availability", ladder=False, challenges=True)
            assert (await closing(bot))[0] == 4429


@pytest.mark.parametrize("size", [MAX_MESSAGE + 1, 4 * MAX_MESSAGE, 4_000_000])
async def test_a_message_over_64_kib_closes_with_1009(door: Door, size: int) -> None:
    async with connected(door.play_url) as bot:
        with suppress(ConnectionClosed):  # a very long one is refused while it is still being sent
            await bot.socket.send(" " * size)
        code, _ = await closing(bot)
    assert code == 1009


async def test_a_message_of_64_kib_is_read(door: Door) -> None:
    async with connected(door.play_url) as bot:
        await bot.socket.send(json.dumps({"type": "dance"}).ljust(MAX_MESSAGE))
        assert (await bot.hear("error"))["code"] == "unknown-type"


async def test_a_message_in_many_fragments_counts_as_one(door: Door) -> None:
    async with connected(door.play_url) as bot:
        await bot.socket.send([" " * 1000] * 60 + ['{"type": "dance"}'])
        assert (await bot.hear("error"))["code"] == "unknown-type"
        await bot.socket.send([" " * 1000] * 70)
        assert (await closing(bot))[0] == 1009


async def test_a_binary_frame_closes_with_1003(door: Door) -> None:
    for url in (door.play_url, door.watch_url):
        async with connected(url) as bot:
            await bot.socket.send(b'{"type": "dance"}')
            assert (await closing(bot))[0] == 1003


async def test_text_that_is_not_utf_8_closes_with_1007(door: Door) -> None:
    async with patient(door.play_url) as socket:
        await socket.send(b"\xff\xfe", text=True)
        await socket.wait_closed()
        assert socket.close_code == 1007


async def test_an_unknown_token_closes_with_4401(door: Door) -> None:
    async with connected(door.play_url) as bot:
        await bot.say("hello", protocol=1, token="nobody's", games=["tictactoe"])
        assert await closing(bot) == (4401, ["unknown-token"])


async def test_another_protocol_closes_with_4426(door: Door) -> None:
    _, token = await door.register()
    async with connected(door.play_url) as bot:
        await bot.say("hello", protocol=99, token=token, games=["tictactoe"])
        assert await closing(bot) == (4426, ["unsupported-protocol"])


async def test_a_socket_without_hello_closes_with_4408(tmp_path: Path) -> None:
    settings = unhurried("nim", ladder=False, hello_timeout=0.1)
    async with opened(tmp_path, settings) as door, connected(door.play_url) as bot:
        assert (await closing(bot))[0] == 4408


async def test_an_intended_close_is_not_reported_as_lost(door: Door) -> None:
    with structlog.testing.capture_logs() as logs:

        def reasons() -> dict[str, str]:
            return {line["bot"]: line["why"] for line in logs if line["event"] == "bot disconnected"}

        names = []
        for politely in (True, False):
            name, token = await door.register()
            names.append(name)
            async with connected(door.play_url) as bot:
                await bot.hello(token, ["tictactoe"], ladder=False)
                if not politely:
                    bot.socket.transport.abort()
        await until(lambda: set(names) <= reasons().keys())
    assert [reasons()[name] for name in names] == ["closed by the client", "connection lost"]


async def test_a_new_login_replaces_the_old_one(door: Door) -> None:
    _, token = await door.register()
    async with connected(door.play_url) as old, connected(door.play_url) as new:
        await old.hello(token, ["tictactoe"], ladder=False)
        await new.hello(token, ["tictactoe"], ladder=False)
        assert (await closing(old))[0] == 4409
        await new.say("sync", match=1)
        assert (await new.hear("error"))["code"] == "unknown-match"


async def test_moves_out_of_turn_and_for_other_matches_are_refused_and_the_match_goes_on(door: Door) -> None:
    names, tokens = zip(*[await door.register() for _ in range(3)], strict=True)
    async with (
        connected(door.play_url) as one,
        connected(door.play_url) as other,
        connected(door.play_url) as stranger,
    ):
        for bot, token in zip((one, other, stranger), tokens, strict=True):
            await bot.hello(token, ["tictactoe"], ladder=False)
        match, first, second = await start_match(one, other, names[1])
        turn = await first.hear("turn")

        await stranger.say("move", match=match, ply=turn["ply"], move=turn["legal_moves"][0])
        assert (await stranger.hear("error"))["code"] == "unknown-match"
        await second.say("move", match=match, ply=turn["ply"], move=turn["legal_moves"][0])
        assert (await second.hear("error"))["code"] == "not-your-turn"
        await first.say("move", match=match, ply=turn["ply"] + 2, move=turn["legal_moves"][0])
        assert (await first.hear("error"))["code"] == "not-your-turn"

        await first.move(turn, turn["legal_moves"][0])
        await asyncio.gather(first.play(first_move), second.play(first_move))
    assert first.over[match]["termination"] == "decided"
    assert first.over[match]["result"] == second.over[match]["result"]


async def test_an_illegal_move_loses_the_match_and_the_socket_stays(door: Door) -> None:
    (_, token), (name, other_token) = await door.register(), await door.register()
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        await one.hello(token, ["tictactoe"], ladder=False)
        await other.hello(other_token, ["tictactoe"], ladder=False)
        match, first, second = await start_match(one, other, name)
        await first.move(await first.hear("turn"), "z9")
        over = await first.hear("over")
        assert (over["termination"], over["score"]) == ("illegal move", 0)
        assert (await second.hear("over"))["score"] == 1
        await first.say("sync", match=match)
        assert (await first.hear("error"))["code"] == "unknown-match"


async def test_bad_peers_do_not_stall_a_match_elsewhere(door: Door) -> None:
    (_, token), (name, other_token) = await door.register(), await door.register()
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        await one.hello(token, ["tictactoe"], ladder=False)
        await other.hello(other_token, ["tictactoe"], ladder=False)
        match, first, second = await start_match(one, other, name)

        async def misbehave(text: str | bytes) -> None:
            async with connected(door.play_url) as bot:
                with suppress(ConnectionClosed):  # it is refused while it is still being sent
                    await bot.socket.send(text)
                await asyncio.wait({asyncio.ensure_future(bot.socket.recv())}, timeout=0.5)

        texts: list[str | bytes] = [*MALFORMED, " " * 100_000, b"\0"]
        rude = [misbehave(text) for text in texts]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(first.play(first_move), second.play(first_move), *rude)
    assert first.over[match]["termination"] == "decided"


async def test_nonsense_of_spectators_is_refused_with_a_message(door: Door) -> None:
    async with connected(door.watch_url) as spectator:
        for text in MALFORMED[:4]:
            await spectator.socket.send(text)
            assert (await spectator.hear("refused"))["code"] in ("malformed", "unknown-type")
        await spectator.say("follow", match=2**50)
        assert (await spectator.hear("refused"))["code"] == "unknown-match"


async def test_a_client_of_aiohttp_can_play(door: Door) -> None:
    async with door.http.ws_connect("/api/v1/play") as socket:
        await socket.send_str('{"type": "dance"}')
        message = await socket.receive(timeout=PATIENCE)
        assert message.type is WSMsgType.TEXT
        assert json.loads(message.data)["code"] == "unknown-type"


@pytest.mark.parametrize("path", ["/api/v1/play", "/api/v1/watch"])
async def test_plain_requests_to_sockets_get_426(door: Door, path: str) -> None:
    async with door.http.get(path) as response:
        assert response.status == 426
        assert (await response.json())["error"]["code"] == "websocket-only"


async def test_closed_sockets_leave_no_objects(door: Door) -> None:
    def left() -> bool:
        writing = any("_Outgoing._write" in repr(task.get_coro()) for task in asyncio.all_tasks())
        return writing or bool(door.application[OPEN]) or len(door.arena.roster) > 0

    await until(lambda: not left())
