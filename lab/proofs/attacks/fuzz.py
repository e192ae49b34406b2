# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of a million invalid messages: valid messages of every type, changed by one mutation or several."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from arena.monitoring import Metrics
from arena.protocol import messages as m
from arena.protocol.codec import MAX_MESSAGE, PROTOCOL, encode, from_arena, to_spectator
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.session import TRANSITIONS, Close, ConnectionState, PeerLimits, Session
from arena.protocol.watching import Refused
from arena.settings import Settings
from arena.watching.broadcast import Broadcast
from lab.proofs.clients import playing, undisturbed
from lab.proofs.ledger import Ledger

Pairs = list[tuple[str, Any]]
"""A message as names and values in order, so that a name may come twice."""

NAMES = ("tictactoe", "checkers", "nim", "anna", "bert", "ludo", "ÿ" * 64, "a" * 64, "", "\x00", "名前", "‮" * 3)
MOVES = ("a1", "b2", "c3", "9-13", "22x15", "", " ", "a" * 100, "a" * 101, "\N{PILE OF POO}" * 20, "0000", "resign")
NUMBERS = (0, 1, -1, 2, 255, 256, 2**31, 2**53, 2**53 + 1, 2**63, 2**64, 10**30, -(2**63), 0.5, 1e308, 1.0)
ODD: tuple[object, ...] = (
    None,
    True,
    False,
    "",
    "null",
    [],
    {},
    [[]],
    {"type": "move"},
    "\ud800",
    "\x00",
    "é",
    "\u2028",
    "﻿",
)


class Mutator:
    """Makes frames, drawn by a seed."""

    def __init__(self, random: Random, spectators: bool = False) -> None:
        """``spectators``: what the spectators' socket hears, else the bots'."""
        self.matches: Sequence[int] = (1, 2, 3)
        """Known live matches."""
        self._random = random
        self._messages = _SPECTATORS if spectators else _BOTS

    def frame(self) -> str | bytes:
        """Return the next frame: one in four valid in itself, the others mutated up to three times."""
        random = self._random
        pairs = self.valid()
        times = random.randrange(4)
        for _ in range(times):
            pairs = random.choice(_SHAPES)(self, pairs)
        text = written(pairs)
        if times and random.random() < 0.3:
            return random.choice(_TEXTS)(self, text)
        return text

    def valid(self) -> Pairs:
        """Return a message of any type, its values mostly such as may come."""
        random = self._random
        kind, fields = random.choice(self._messages)
        pairs: Pairs = [("type", kind)]
        pairs += [(name, draw(self)) for name, draw, needed in fields if needed or random.random() < 0.5]
        return pairs

    # ---------------------------------------------------------------- values

    def _number(self) -> object:
        return self._random.choice(NUMBERS) if self._random.random() < 0.05 else self._random.randrange(100)

    def _match(self) -> object:
        return self._random.choice(self.matches) if self._random.random() < 0.7 else self._number()

    def _flag(self) -> bool:
        return self._random.random() < 0.5

    def _name(self) -> str:
        return self._random.choice(NAMES if self._random.random() < 0.2 else NAMES[:5])

    def _names(self) -> list[str]:
        return [self._name() for _ in range(101 if self._random.random() < 0.01 else self._random.randrange(1, 4))]

    def _move(self) -> str:
        return self._random.choice(MOVES if self._random.random() < 0.2 else MOVES[:5])

    def _protocol(self) -> object:
        return PROTOCOL if self._random.random() < 0.9 else self._number()

    def _control(self) -> str:
        return self._random.choice(("60+1", "1+0", "x", "-1+0", "1e9+0", "nan+nan", "+", "60", "0+0", "٣+٤"))

    def _info(self) -> object:
        random = self._random
        return (
            {"score": self._number(), "depth": self._number(), "nodes": self._number(), "pv": [self._move()] * 3}
            if (random.random() < 0.8)
            else random.choice(ODD)
        )

    # ---------------------------------------------------------------- mutations of fields

    def _drop(self, pairs: Pairs) -> Pairs:
        gone = self._random.randrange(len(pairs)) if pairs else 0
        return pairs[:gone] + pairs[gone + 1 :]

    def _retype(self, pairs: Pairs) -> Pairs:
        return self._changed(
            pairs, lambda value: self._random.choice((*ODD, *NUMBERS, [value], {"": value}, str(value)))
        )

    def _huge(self, pairs: Pairs) -> Pairs:
        sizes = (
            (201, 1000, 10_000) if self._random.random() < 0.98 else (MAX_MESSAGE - 20, MAX_MESSAGE, 2 * MAX_MESSAGE)
        )
        size = self._random.choice(sizes)
        if self._random.random() < 0.3:
            return self._changed(pairs, lambda _: 10 ** min(size, 4000))
        return self._changed(pairs, lambda _: self._random.choice("xé\x00") * size)

    def _nest(self, pairs: Pairs) -> Pairs:
        def nested(value: object) -> object:
            for _ in range(self._random.choice((1, 5, 100, 300))):
                value = [value] if self._random.random() < 0.5 else {"type": value}
            return value

        return self._changed(pairs, nested)

    def _twice(self, pairs: Pairs) -> Pairs:
        if not pairs:
            return pairs
        name, value = self._random.choice(pairs)
        return [*pairs, (name, self._random.choice((value, *ODD)))]

    def _reorder(self, pairs: Pairs) -> Pairs:
        return self._random.sample(pairs, len(pairs))

    def _more(self, pairs: Pairs) -> Pairs:
        return [
            *pairs,
            (self._random.choice(("x", "", "type ", "Type", "match", "token", "__class__")), self._number()),
        ]

    def _other_type(self, pairs: Pairs) -> Pairs:
        kind = self._random.choice(("turn", "welcome", "over", "Move", "", "error", *(kind for kind, _ in _BOTS)))
        return [("type", kind), *pairs[1:]]

    def _changed(self, pairs: Pairs, change: Callable[[object], object]) -> Pairs:
        if not pairs:
            return pairs
        which = self._random.randrange(len(pairs))
        return [(name, change(value) if index == which else value) for index, (name, value) in enumerate(pairs)]

    # ---------------------------------------------------------------- mutations of text

    def _cut(self, text: str) -> str:
        return text[: self._random.randrange(len(text) + 1)]

    def _glue(self, text: str) -> str:
        return text + self._random.choice(("", "\n", ",", " ", "\x1e")) + written(self.valid())

    def _wrap(self, text: str) -> str:
        return self._random.choice(("[{}]", "﻿{}", "\t\n {} \r\n", "[" * 2000 + "{}", '"{}"', "{{{}}}", "//{}")).format(
            text
        )

    def _swap(self, text: str) -> str:
        at = self._random.randrange(len(text) + 1)
        return text[:at] + self._random.choice('"{}[]:,\\\x00\x1f\x7f0-eE+.NaNtruefalse') + text[at + 1 :]

    def _spell(self, text: str) -> str:
        one, other = self._random.choice(
            (("1", "NaN"), ("1", "Infinity"), ("1", "01"), ("1", "1."), ("true", "True"), ('"', "'"), ('"', '\\"'),
             ("e", "\\u0065"), ("a", "\\ud800"), (":", "=")),
        )  # fmt: skip
        return text.replace(one, other)

    def _bytes(self, text: str) -> bytes:
        return text.encode(errors="replace") if self._random.random() < 0.5 else self._random.randbytes(40)


def written(pairs: Pairs) -> str:
    """Return a message as JSON text."""
    return "{" + ",".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in pairs) + "}"


_Draw = Callable[[Mutator], object]
_Messages = Sequence[tuple[str, Sequence[tuple[str, _Draw, bool]]]]

_MATCH = ("match", Mutator._match, True)
_BOTS: _Messages = (
    ("hello", (
        ("protocol", Mutator._protocol, True), ("token", Mutator._name, True), ("games", Mutator._names, True),
        ("version", Mutator._name, False), ("software", Mutator._name, False), ("capacity", Mutator._number, False),
        ("legal_moves", Mutator._flag, False), ("ladder", Mutator._flag, False), ("challenges", Mutator._flag, False),
    )),
    ("move", (
        _MATCH, ("ply", Mutator._number, True), ("move", Mutator._move, True), ("info", Mutator._info, False),
    )),
    ("resign", (_MATCH,)),
    ("offer-draw", (_MATCH,)),
    ("answer-draw", (_MATCH, ("accept", Mutator._flag, True))),
    ("sync", (_MATCH,)),
    ("availability", (("ladder", Mutator._flag, True), ("challenges", Mutator._flag, True))),
    ("challenge", (
        ("opponent", Mutator._name, True), ("game", Mutator._name, True), ("rated", Mutator._flag, False),
        ("time_control", Mutator._control, False),
    )),
    ("answer-challenge", (("challenge", Mutator._number, True), ("accept", Mutator._flag, True))),
    ("withdraw-challenge", (("challenge", Mutator._number, True),)),
)  # fmt: skip
_SPECTATORS: _Messages = (
    ("follow", (_MATCH, ("after", Mutator._number, False))),
    ("unfollow", (_MATCH,)),
    ("follow-lobby", (("game", Mutator._name, False), ("boards", Mutator._number, False))),
    ("unfollow-lobby", ()),
)
_SHAPES: Sequence[Callable[[Mutator, Pairs], Pairs]] = (
    Mutator._drop, Mutator._retype, Mutator._huge, Mutator._nest, Mutator._twice, Mutator._reorder, Mutator._more,
    Mutator._other_type,
)  # fmt: skip
_TEXTS: Sequence[Callable[[Mutator, str], str | bytes]] = (
    Mutator._cut, Mutator._glue, Mutator._wrap, Mutator._swap, Mutator._spell, Mutator._bytes,
)  # fmt: skip


# ---------------------------------------------------------------- the proof

FRAMES = 1_000_000
"""To sessions and spectators in this process; every fifth to a spectator."""

SENT = 20_000
"""Through sockets besides; every fourth as a spectator."""

MAD = 8
"""Connections through which they are sent."""

TABLES = 4
"""Of the matches beside."""

LARGE = 10**9
"""A limit that is never reached."""

CODES = set(ErrorCode)
CLOSES = set(CloseCode)
LOOSE = ("--message-rate", str(LARGE), "--message-burst", str(LARGE), "--bad-messages", str(LARGE))


async def prove_fuzz(ledger: Ledger) -> None:
    """A million invalid messages

    Whatever arrives, in whatever state of a connection, the arena answers with a documented error or closes that one
    connection with a documented code. It never fails, and other matches continue undisturbed. The messages are valid
    ones of every type, messages whose fields are missing, retyped, huge, nested, doubled, reordered or unknown, and
    text that is cut, joined, misspelt or no text. Most go to protocol sessions and spectators in this process, in every
    state; the last go through the sockets of a real server, to bots and spectators in running matches.
    """
    frames = ledger.times(FRAMES, 1000)
    _sessions(ledger, frames - frames // 5)
    await _spectators(ledger, frames // 5)
    await _sockets(ledger, ledger.times(SENT, 400))


# ---------------------------------------------------------------- in this process


def _opened(state: ConnectionState, limits: PeerLimits) -> Session:
    """Return a session in a state."""
    session = Session(0.0, limits)
    session.state = state
    return session


def _sessions(ledger: Ledger, frames: int) -> None:
    """Hold every answer of sessions in all states against the protocol's table and its lists of codes."""
    random = Random("sessions")
    mutator = Mutator(random)
    # Most shall live long, some shall be held to the arena's own limits.
    patient = PeerLimits(LARGE, LARGE, LARGE)
    sessions = {state: _opened(state, patient) for state in ConnectionState}
    # After the end nothing is heard any more, so few frames are spent on that.
    states, answers = (
        [ConnectionState.NEW, ConnectionState.AUTHENTICATING, *[ConnectionState.PLAYING] * 3] * 4
        + [ConnectionState.CLOSED],
        Counter[str](),
    )
    now = 0.0
    for number in range(frames):
        state = states[number % len(states)]
        session = sessions[state]
        before, now = session.state, now + 0.001
        answer = session.receive(mutator.frame(), now)
        match answer:
            case None:
                assert before is ConnectionState.CLOSED
                answers["passed over after the end"] += 1
            case m.Error():
                assert answer.code in CODES, answer
                assert from_arena(encode(answer)) == answer
                answers[f"refused as {answer.code}"] += 1
            case Close():
                assert answer.code in CLOSES, answer
                assert session.state is ConnectionState.CLOSED
                assert answer.error is None or answer.error.code in CODES
                answers[f"ended with {int(answer.code)}"] += 1
            case _:
                assert TRANSITIONS[before, type(answer)] is session.state
                answers["taken"] += 1
        if session.state is not state:
            limits = PeerLimits(bad_messages=random.randrange(30)) if random.random() < 0.3 else patient
            sessions[state] = _opened(state, limits)
    ledger.note("frames to sessions in all four states", frames)
    ledger.note_counts("their answers", answers)


async def _spectators(ledger: Ledger, frames: int) -> None:
    """Hold every answer to spectators against the list of codes."""
    broadcast = Broadcast(Settings(bad_messages=LARGE, message_rate=LARGE, message_burst=LARGE), Metrics(), int, str)
    mutator, answers = Mutator(Random("spectators"), spectators=True), Counter[str]()
    spectator = broadcast.watch("test")
    for _ in range(frames):
        spectator.receive(mutator.frame())
        while (frame := spectator.next_frame()) is not None:
            answer = to_spectator(frame)
            if isinstance(answer, Refused):
                assert answer.code in CODES
                answers[f"refused as {answer.code}"] += 1
        if spectator.close_code is not None:
            assert spectator.close_code in CLOSES
            answers[f"ended with {int(spectator.close_code)}"] += 1
            spectator = broadcast.watch("test")
    ledger.note("frames to spectators", frames)
    ledger.note_counts("the answers to them", answers)


# ---------------------------------------------------------------- through sockets


async def _sockets(ledger: Ledger, frames: int) -> None:
    options = ("--no-built-in-bots", "--games", "tictactoe,nim", "--ladder-pause", "0", *LOOSE)
    async with ledger.serving(*options, name="sockets") as server:
        await server.ready()
        tokens = await server.register(*(f"mad-{number}" for number in range(MAD)))
        answers = Counter[str]()
        async with playing(server, TABLES) as before:
            await asyncio.sleep(max(4.0, 10 * ledger.scale))
        async with playing(server, TABLES) as during, ClientSession() as http, asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(4.0))  # however few frames there are, the matches beside shall move
            for number, token in enumerate(tokens.values()):
                url = server.watch_url if number % 4 == 3 else server.play_url
                group.create_task(_rage(http, url, token, frames // MAD, Random(number), answers))
        status = await server.get("/healthz")
        metrics = await server.text("/metrics")
    assert status["status"] == "ok"
    failures = [line for line in metrics.splitlines() if line.startswith("arena_failures_total")]
    assert all(float(line.split()[1]) == 0 for line in failures), failures
    undisturbed(before)
    undisturbed(during)
    ledger.note("frames through sockets", frames // MAD * MAD)
    ledger.note_counts("what came back", answers)
    ledger.note("moves of the matches beside", during.moves)
    ledger.note_latency("time from a move to the turn of the opponent, before", before.relay)
    ledger.note_latency("time from a move to the turn of the opponent, meanwhile", during.relay)


async def _rage(http: ClientSession, url: str, token: str, frames: int, random: Random, answers: Counter[str]) -> None:
    """Send so many frames, through as many connections as that takes, and answer some turns besides."""
    watching = url.endswith("watch")
    mutator = Mutator(random, spectators=watching)
    while frames > 0:
        async with http.ws_connect(url) as socket:
            hello = m.Hello(protocol=1, token=token, games=["tictactoe", "nim"], capacity=3)
            if not watching and random.random() < 0.95:
                await socket.send_str(encode(hello))
            reading = asyncio.create_task(_listen(socket, mutator, random, answers))
            while frames > 0 and not socket.closed:
                frames -= 1
                frame = mutator.frame()
                try:
                    if isinstance(frame, bytes):
                        await socket.send_bytes(frame)
                    else:
                        await socket.send_str(frame.encode(errors="replace").decode())
                except ConnectionError:
                    break
                if frames % 8 == 0:
                    await asyncio.sleep(0.002)
            await socket.close()
            await reading


async def _listen(socket: ClientWebSocketResponse, mutator: Mutator, random: Random, answers: Counter[str]) -> None:
    """Count what comes back, by code, and play on where it is one's turn."""
    async for message in socket:
        assert message.type is WSMsgType.TEXT, message
        heard = json.loads(message.data)
        if "code" in heard:
            assert heard["code"] in CODES, heard
            answers[f"refused as {heard['code']}"] += 1
        elif heard["type"] == "turn" and not socket.closed:
            mutator.matches = [*mutator.matches[-3:], heard["match"]]
            move = msgspec.json.encode(
                {
                    "type": "move",
                    "match": heard["match"],
                    "ply": heard["ply"],
                    "move": random.choice(heard["legal_moves"]),
                }
            )
            try:
                await socket.send_str(move.decode())
            except ConnectionError:
                return
    assert socket.close_code in {*CLOSES, 1006, 1002, None}, socket.close_code
    answers["closed by the sender" if socket.close_code is None else f"ended with {socket.close_code}"] += 1
