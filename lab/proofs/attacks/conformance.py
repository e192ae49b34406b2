# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of conformance: WebSockets by cases of RFC 6455."""

import asyncio
import contextlib
import struct
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass

from aiohttp import WSMsgType, web

from arena.protocol.codec import MAX_MESSAGE
from lab.proofs.attacks.bad_connections import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Frame, RawSocket, frame
from lab.proofs.ledger import Ledger
from web.sockets import new_socket


@dataclass(frozen=True, slots=True)
class Case:
    """Bytes in pieces, and the frames they are answered with before the close, which may have one of ``codes``."""

    name: str
    sent: Sequence[bytes]
    answers: Sequence[Frame] = ()
    codes: frozenset[int] = frozenset({1000})

    @property
    def fails(self) -> bool:
        """Whether the connection must be failed: then only a beginning of the answers may come, or a mere hang-up."""
        return 1000 not in self.codes


PROTOCOL_ERROR = frozenset({1002})
BAD_TEXT = frozenset({1007})
TOO_BIG = frozenset({1009})
GOODBYE = frame(CLOSE, struct.pack("!H", 1000))

VALID = ("κόσμε", "\ufffe\uffff", "\U0010ffff", "\ud7ff\ue000", "a\x00b\x7f", "‮é" * 20, "𐀀𐄀\u0800\u0080", "﻿x")
INVALID = {
    "a lone continuation byte": b"\x80",
    "an overlong slash of two bytes": b"\xc0\xaf",
    "an overlong slash of three": b"\xe0\x80\xaf",
    "an overlong slash of four": b"\xf0\x80\x80\xaf",
    "a surrogate": b"\xed\xa0\x80",
    "a pair of surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "a code point beyond the last": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "FE": b"\xfe",
    "FF": b"\xff",
    "a sequence that ends early": b"\xce\xba\xe1\xbd",
    "a sequence that is broken off": b"\xe2\x28\xa1",
    "Latin-1": b"caf\xe9 au lait",
}
CODES = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)
NO_CODES = (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65_535)


def cases(limit: int) -> Iterator[Case]:
    """Yield all cases, for an echo that takes messages of at most ``limit`` bytes."""
    yield from _lengths(limit)
    yield from _control()
    yield from _reserved()
    yield from _fragments()
    yield from _text()
    yield from _closing()
    yield from _framing()


def _kept(name: str, sent: bytes | Sequence[bytes], *answers: Frame) -> Iterator[Case]:
    """Yield a case that must go well: whole, and byte by byte when it is short."""
    pieces = [sent] if isinstance(sent, bytes) else list(sent)
    yield Case(name, [*pieces, GOODBYE], answers)
    whole = b"".join(pieces)
    if len(whole) < 400:
        yield Case(f"{name}, byte by byte", [bytes([byte]) for byte in whole + GOODBYE], answers)


def _lengths(limit: int) -> Iterator[Case]:
    for kind, opcode in (("text", TEXT), ("bytes", BINARY)):
        for size in (0, 1, 125, 126, 127, 128, 65_535, 65_536):
            payload = b"*" * size
            yield from _kept(f"{size} bytes of {kind}", frame(opcode, payload), Frame(opcode, payload))
    large = frame(TEXT, b"*" * 65_536)
    pieces = [large[start : start + 997] for start in range(0, len(large), 997)]
    yield from _kept("65536 bytes in pieces of 997", pieces, Frame(TEXT, b"*" * 65_536))
    yield from _kept("the most that is taken", frame(TEXT, b"*" * limit), Frame(TEXT, b"*" * limit))
    for opcode, kind in ((TEXT, "text"), (BINARY, "bytes")):
        yield Case(f"more {kind} than is taken", [frame(opcode, b"*" * (limit + 2))], codes=TOO_BIG)
    half = b"*" * (limit // 2 + 2)
    pieces = [frame(TEXT, half, final=False), frame(CONTINUATION, half)]
    yield Case("more than is taken in two fragments", pieces, codes=TOO_BIG)


def _control() -> Iterator[Case]:
    for payload in (b"", b"hello", b"\x00\xff\xfe\xfd", b"\xfe" * 125):
        name = f"a ping of {len(payload)} bytes, {payload[:4]!r}"
        yield from _kept(name, frame(PING, payload), Frame(PONG, payload))
    yield Case("a ping of 126 bytes", [frame(PING, b"*" * 126)], codes=PROTOCOL_ERROR)
    yield from _kept("an unsolicited pong", frame(PONG, b"x"))
    yield from _kept("such a pong and a ping", frame(PONG, b"x") + frame(PING, b"y"), Frame(PONG, b"y"))
    many = [b"%d" % number for number in range(10)]
    yield from _kept("ten pings", b"".join(frame(PING, each) for each in many), *(Frame(PONG, each) for each in many))
    yield Case("a pong of 126 bytes", [frame(PONG, b"*" * 126)], codes=PROTOCOL_ERROR)


def _reserved() -> Iterator[Case]:
    before = frame(TEXT, b"before")
    answer = Frame(TEXT, b"before")
    for bits in range(1, 8):
        for kind, opcode in (("text", TEXT), ("bytes", BINARY), ("a ping", PING), ("a close", CLOSE)):
            payload = b"" if opcode == CLOSE else b"x"
            wrong = frame(opcode, payload, reserved=bits)
            yield Case(f"reserved bits {bits:03b} on {kind}", [before, wrong], [answer], PROTOCOL_ERROR)
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        for payload in (b"", b"x"):
            wrong = frame(opcode, payload)
            name = f"opcode {opcode} with {len(payload)} bytes"
            yield Case(name, [before, wrong, frame(PING)], [answer], PROTOCOL_ERROR)


def _fragments() -> Iterator[Case]:
    for opcode, kind in ((TEXT, "text"), (BINARY, "bytes")):
        one, other = frame(opcode, b"one ", final=False), frame(CONTINUATION, b"other")
        whole = Frame(opcode, b"one other")
        yield from _kept(f"{kind} in two fragments", one + other, whole)
        yield from _kept(
            f"a ping between fragments of {kind}", one + frame(PING, b"p") + other, Frame(PONG, b"p"), whole
        )
        yield from _kept(f"a pong between fragments of {kind}", one + frame(PONG, b"p") + other, whole)
        empty = frame(opcode, b"", final=False) + frame(CONTINUATION, b"", final=False) + frame(CONTINUATION, b"")
        yield from _kept(f"three empty fragments of {kind}", empty, Frame(opcode, b""))
        middle = empty[:6] + frame(CONTINUATION, b"m", final=False) + frame(CONTINUATION, b"")
        yield from _kept(f"{kind} in the middle of empty fragments", middle, Frame(opcode, b"m"))
        many = frame(opcode, b"*", final=False) + b"".join(
            frame(CONTINUATION, b"*", final=number == 99) + (frame(PING, b"p") if number % 10 == 0 else b"")
            for number in range(1, 100)
        )
        pongs = [Frame(PONG, b"p")] * 9
        yield from _kept(f"{kind} in a hundred fragments with pings", many, *pongs, Frame(opcode, b"*" * 100))
        yield Case(f"a new message among fragments of {kind}", [one, frame(opcode, b"new")], codes=PROTOCOL_ERROR)
        yield Case(f"unfinished fragments of {kind} twice", [one, one], codes=PROTOCOL_ERROR)
    for opcode, kind in ((PING, "ping"), (PONG, "pong"), (CLOSE, "close")):
        payload = struct.pack("!H", 1000) if opcode == CLOSE else b"x"
        pieces = [frame(opcode, payload, final=False), frame(CONTINUATION, b"y")]
        yield Case(f"a {kind} in fragments", pieces, codes=PROTOCOL_ERROR)
    for final in (True, False):
        name = f"a continuation of nothing, {'last' if final else 'not last'}"
        yield Case(name, [frame(CONTINUATION, b"x", final=final), frame(TEXT, b"y")], codes=PROTOCOL_ERROR)
        after = [frame(TEXT, b"a"), frame(CONTINUATION, b"x", final=final)]
        yield Case(f"{name}, after a message", after, [Frame(TEXT, b"a")], PROTOCOL_ERROR)


def _text() -> Iterator[Case]:
    for text in VALID:
        payload = text.encode()
        yield from _kept(f"the text {text[:8]!a}", frame(TEXT, payload), Frame(TEXT, payload))
        pieces = [frame(TEXT, payload[:1], final=False)]
        pieces += [frame(CONTINUATION, payload[at : at + 1], final=False) for at in range(1, len(payload) - 1)]
        pieces += [frame(CONTINUATION, payload[len(payload) - 1 :])]
        yield from _kept(f"the text {text[:8]!a}, a fragment for each byte", pieces, Frame(TEXT, payload))
    for name, payload in INVALID.items():
        yield Case(f"text that is {name}", [frame(TEXT, payload)], codes=BAD_TEXT)
        pieces = [frame(TEXT, b"good ", final=False), frame(CONTINUATION, payload)]
        yield Case(f"text that is {name}, in the second fragment", pieces, codes=BAD_TEXT)
        yield from _kept(f"bytes that as text were {name}", frame(BINARY, payload), Frame(BINARY, payload))


def _closing() -> Iterator[Case]:
    yield Case("a close without a code", [frame(CLOSE)], codes=frozenset({1000, 1005}))
    for code in CODES:
        for reason in (b"", b"reason", b"*" * 123):
            sent = frame(CLOSE, struct.pack("!H", code) + reason)
            yield Case(f"close {code} with {len(reason)} bytes", [sent], codes=frozenset({code, 1000}))
    for code in NO_CODES:
        for reason in (b"", b"reason"):
            sent = frame(CLOSE, struct.pack("!H", code) + reason)
            yield Case(f"close {code} with {len(reason)} bytes", [sent], codes=PROTOCOL_ERROR)
    yield Case("a close of one byte", [frame(CLOSE, b"\x03")], codes=PROTOCOL_ERROR)
    yield Case("a close of 126 bytes", [frame(CLOSE, struct.pack("!H", 1000) + b"*" * 124)], codes=PROTOCOL_ERROR)
    for name, payload in INVALID.items():
        sent = frame(CLOSE, struct.pack("!H", 1000) + payload)
        yield Case(f"a close whose reason is {name}", [sent], codes=BAD_TEXT | PROTOCOL_ERROR)
    yield Case("text after the close", [GOODBYE, frame(TEXT, b"late")])
    yield Case("a ping after the close", [GOODBYE, frame(PING, b"late")])
    yield Case("a close twice", [GOODBYE, GOODBYE])
    yield Case("a close among fragments", [frame(TEXT, b"x", final=False), GOODBYE])
    large = frame(TEXT, b"*" * 30_000)
    yield Case("a close right behind a message", [large + GOODBYE], [Frame(TEXT, b"*" * 30_000)])


def _framing() -> Iterator[Case]:
    mask = b"\x01\x02\x03\x04"
    empty_mask = b"\x00" * 4
    yield Case("a frame without a mask", [frame(TEXT, b"bare", masked=False)], codes=PROTOCOL_ERROR)
    yield Case("a ping without a mask", [frame(PING, b"bare", masked=False)], codes=PROTOCOL_ERROR)
    yield from _kept("a mask of zeros", b"\x81\x81" + empty_mask + b"x", Frame(TEXT, b"x"))
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(b"hello"))
    yield from _kept("a known mask", b"\x81\x85" + mask + masked, Frame(TEXT, b"hello"))
    yield Case("a length of 5 in 16 bits", [b"\x81\xfe\x00\x05" + mask + masked], codes=PROTOCOL_ERROR)
    yield Case("a length of 5 in 64 bits", [b"\x81\xff" + struct.pack("!Q", 5) + mask + masked], codes=PROTOCOL_ERROR)
    endless = b"\x81\xff" + struct.pack("!Q", 1 << 63) + mask
    yield Case("a length with its highest bit set", [endless], codes=PROTOCOL_ERROR | TOO_BIG)
    yield Case("a length of half of all there is", [b"\x82\xff" + struct.pack("!Q", 1 << 62) + mask], codes=TOO_BIG)
    yield from _kept("a hundred messages at once", frame(TEXT, b"x") * 100, *([Frame(TEXT, b"x")] * 100))


# ---------------------------------------------------------------- the proof

BARE_LIMIT = 4 * 1024 * 1024 - 1
"""aiohttp's own."""

PATIENCE = 5.0
AT_ONCE = 20


async def prove_conformance(ledger: Ledger) -> None:
    """WebSocket conformance (RFC 6455)

    An echo server with the settings of the arena's sockets answers every case as RFC 6455 requires, or at least fails
    no case that a bare aiohttp server passes. The cases are lengths, control frames, fragments, reserved bits and
    opcodes, invalid UTF-8 of all kinds, closing, masks and limits, most of them also byte by byte.
    """
    ours, bare = await asyncio.gather(_tried(new_socket, MAX_MESSAGE), _tried(web.WebSocketResponse, BARE_LIMIT))
    failed = {name for name, outcome in ours.items() if outcome.startswith("failed")}
    bare_failed = {name for name, outcome in bare.items() if outcome.startswith("failed")}
    assert not failed - bare_failed, {name: ours[name] for name in failed - bare_failed}
    assert ours.keys() == bare.keys()
    ledger.note("cases", len(ours))
    for whose, outcomes in (("our sockets", ours), ("a bare aiohttp server", bare)):
        kinds = Counter(outcome.partition(":")[0] for outcome in outcomes.values())
        ledger.note_counts(whose, kinds)
    ledger.note("failed here and not there", len(failed - bare_failed))
    ledger.note("failed there and not here", len(bare_failed - failed))
    ledger.note("failed by both", "; ".join(sorted(failed & bare_failed)) or "none")


@contextlib.asynccontextmanager
async def _echo(make: Callable[[], web.WebSocketResponse]) -> AsyncIterator[int]:
    """Serve an echo on a free port."""

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = make()
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await socket.send_str(message.data)
            elif message.type is WSMsgType.BINARY:
                await socket.send_bytes(message.data)
            elif message.type is WSMsgType.PING:
                await socket.pong(message.data)
        return socket

    application = web.Application()
    application.router.add_get("/echo", echo)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def _tried(make: Callable[[], web.WebSocketResponse], limit: int) -> dict[str, str]:
    """Return how an echo answered each case."""
    outcomes: dict[str, str] = {}
    gate = asyncio.Semaphore(AT_ONCE)

    async def attempt(port: int, case: Case) -> None:
        async with gate:
            outcomes[case.name] = await _try(port, case)

    async with _echo(make) as port, asyncio.TaskGroup() as group:
        for case in cases(limit):
            assert case.name not in outcomes
            outcomes[case.name] = ""
            group.create_task(attempt(port, case))
    return outcomes


async def _try(port: int, case: Case) -> str:
    """Return how one case went."""
    socket = await RawSocket.open(port, "/echo")
    try:
        async with asyncio.timeout(PATIENCE):
            reading = asyncio.create_task(_heard(socket))
            with contextlib.suppress(ConnectionError):
                for piece in case.sent:
                    socket.writer.write(piece)
                    await socket.writer.drain()
                    await asyncio.sleep(0)
            heard = await reading
    except TimeoutError:
        return "failed: no end"
    finally:
        socket.abort()
    return _judged(case, heard)


async def _heard(socket: RawSocket) -> list[Frame]:
    """Return all frames up to the close, or the end."""
    heard: list[Frame] = []
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while not heard or heard[-1].opcode != CLOSE:
            heard.append(await socket.read())
    return heard


def _judged(case: Case, heard: Sequence[Frame]) -> str:
    answers = [each for each in heard if each.opcode != CLOSE]
    code = next((each.code for each in heard if each.opcode == CLOSE), None)
    if case.fails:
        if answers != list(case.answers[: len(answers)]):
            return f"failed: {answers[:2]}"
        if code is None:
            return "hung up without a code"
        return "as it must be" if code in case.codes else f"failed: closed with {code}"
    if answers != list(case.answers):
        return f"failed: {len(answers)} answers, {answers[:2]}"
    return "as it must be" if code in case.codes else f"failed: closed with {code}"
