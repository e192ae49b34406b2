# SPDX-License-Identifier: GPL-3.0-or-later
"""A million messages that make no sense

Whatever is sent, in whatever state of a connection, the arena answers with a documented error, or ends that one
connection with a documented code; it never fails, and matches of others go on undisturbed. The messages are valid ones
of every type, and such with fields dropped, retyped, huge, nested, doubled, reordered and unknown, and text that is
cut, glued, misspelt or no text. Most meet the sessions of the protocol and the spectators of a broadcast in this
process, in every state; the last go through the sockets of a real server, to bots and spectators in the middle of play.
"""

import asyncio
import json
from collections import Counter
from random import Random

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from arena.metrics import Metrics
from arena.protocol import messages as m
from arena.protocol.codec import encode, from_arena, to_spectator
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.session import TRANSITIONS, Close, Limits, Session, State
from arena.protocol.watching import Refused
from arena.settings import Settings
from arena.watching.broadcast import Broadcast
from lab.proofs.beside import playing, undisturbed
from lab.proofs.ledger import Ledger
from lab.proofs.mutation import Mutator
from tests.end_to_end.server import Server

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


async def prove(ledger: Ledger) -> None:
    """Send to sessions, to spectators, and through sockets."""
    frames = ledger.times(FRAMES, 1000)
    _sessions(ledger, frames - frames // 5)
    await _spectators(ledger, frames // 5)
    await _sockets(ledger, ledger.times(SENT, 400))


# ---------------------------------------------------------------- in this process


def _opened(state: State, limits: Limits) -> Session:
    """Return a session in a state."""
    session = Session(0.0, limits)
    session.state = state
    return session


def _sessions(ledger: Ledger, frames: int) -> None:
    """Hold every answer of sessions in all states against the protocol's table and its lists of codes."""
    random = Random("sessions")
    mutator = Mutator(random)
    # Most shall live long, some shall be held to the arena's own limits.
    patient = Limits(LARGE, LARGE, LARGE)
    sessions = {state: _opened(state, patient) for state in State}
    # After the end nothing is heard any more, so few frames are spent on that.
    states, answers = [State.NEW, State.AUTHENTICATING, *[State.PLAYING] * 3] * 4 + [State.CLOSED], Counter[str]()
    now = 0.0
    for number in range(frames):
        state = states[number % len(states)]
        session = sessions[state]
        before, now = session.state, now + 0.001
        answer = session.receive(mutator.frame(), now)
        match answer:
            case None:
                assert before is State.CLOSED
                answers["passed over after the end"] += 1
            case m.Error():
                assert answer.code in CODES, answer
                assert from_arena(encode(answer)) == answer
                answers[f"refused as {answer.code}"] += 1
            case Close():
                assert answer.code in CLOSES, answer
                assert session.state is State.CLOSED
                assert answer.error is None or answer.error.code in CODES
                answers[f"ended with {int(answer.code)}"] += 1
            case _:
                assert TRANSITIONS[before, type(answer)] is session.state
                answers["taken"] += 1
        if session.state is not state:
            limits = Limits(bad_messages=random.randrange(30)) if random.random() < 0.3 else patient
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
    folder = ledger.place("sockets")
    server = Server(folder, "--no-built-in-bots", "--games", "tictactoe,nim", "--ladder-pause", "0", *LOOSE)
    await server.start()
    try:
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
    finally:
        await server.stop()
    assert status["status"] == "ok"
    assert "Traceback" not in server.log, server.log[-3000:]
    failures = [line for line in metrics.splitlines() if line.startswith("arena_failures_total")]
    assert all(float(line.split()[1]) == 0 for line in failures), failures
    undisturbed(before)
    undisturbed(during)
    ledger.note("frames through sockets", frames // MAD * MAD)
    ledger.note_counts("what came back", answers)
    ledger.note("moves of the matches beside", during.moves)
    ledger.note_latency("their relay before", before.relay)
    ledger.note_latency("their relay meanwhile", during.relay)
    await ledger.verify(server.database)


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
