# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that plays in lines of JSON, and misbehaves as its first argument says. Imports nothing of the arena."""

import json
import os
import sys
import threading
import time
from typing import Any

BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "plays"


def say(**message: Any) -> None:
    """Write a message."""
    print(json.dumps(message), flush=True)


def greet() -> None:
    """Write hello, or something like it."""
    hello: dict[str, Any] = {"type": "hello", "protocol": 1, "games": ["tictactoe", "chess"], "version": "7"}
    if BEHAVIOUR == "hello with token":
        hello["token"] = "secret"
    if BEHAVIOUR == "hello of another protocol":
        hello["protocol"] = 99
    if BEHAVIOUR == "hello with a wrong field":
        hello["colour"] = "red"
    if BEHAVIOUR == "hello that is no JSON":
        print("hello", flush=True)
    elif BEHAVIOUR == "move instead of hello":
        say(type="move", match=1, ply=0, move="a1")
    elif BEHAVIOUR == "ends at once":
        sys.exit(3)
    else:
        say(**hello)


def answer(turn: dict[str, Any]) -> None:
    """Answer a turn."""
    match, ply, move = turn["match"], turn["ply"], turn["legal_moves"][0]
    if BEHAVIOUR == "garbage":
        print("e4", flush=True)
    elif BEHAVIOUR == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.buffer.flush()
    elif BEHAVIOUR == "crash":
        os.abort()
    elif BEHAVIOUR == "resigns":
        say(type="resign", match=match)
    elif BEHAVIOUR == "hangs":
        time.sleep(10_000)
    elif BEHAVIOUR == "illegal":
        say(type="move", match=match, ply=ply, move="z9")
    elif BEHAVIOUR == "floods":
        while True:
            say(type="sync", match=match)
    elif BEHAVIOUR == "thinks aloud":
        for depth in range(120):
            say(type="thinking", match=match, ply=ply, info={"depth": depth})
        say(type="move", match=match, ply=ply, move=move)
    elif BEHAVIOUR == "another ply first":
        say(type="move", match=match, ply=ply + 2, move=move)
        say(type="move", match=match, ply=ply, move=move)
    elif BEHAVIOUR == "offers a draw":
        say(type="offer-draw", match=match)
        say(type="move", match=match, ply=ply, move=move)
    else:
        say(type="move", match=match, ply=ply, move=move, info={"score": 0.5, "depth": 3, "pv": [move]})


def compute() -> None:
    """Use the processor without end."""
    while True:
        sum(range(10_000))


greet()
if BEHAVIOUR == "computes on":
    threading.Thread(target=compute, daemon=True).start()
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "turn":
        answer(told)
    elif told["type"] == "draw-offered":
        say(type="answer-draw", match=told["match"], accept=BEHAVIOUR == "accepts")
    elif told["type"] == "error":
        print(told["code"], file=sys.stderr, flush=True)
