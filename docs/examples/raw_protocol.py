# SPDX-License-Identifier: MIT
import json
import os
import random
import sys
import time

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

URL = os.environ.get("ARENA_URL", "ws://127.0.0.1:8080/api/v1/play")
TOKEN = os.environ["ARENA_TOKEN"]
FINAL = {4401, 4403, 4409, 4423, 4426}  # close codes after which another attempt has the same end
pending = {}  # by match: the move that the arena has not acknowledged


def choose(turn, seconds):
    """Return a move. Put a search here that takes at most ``seconds``."""
    return random.choice(turn["legal_moves"])


def budget(turn):
    """Return the seconds for a move. Clocks are in milliseconds, by seat; a match without clocks has none."""
    if turn.get("clocks") is None:
        return 1.0
    return (turn["clocks"][turn["seat"]] / 30 + turn.get("increment", 0) / 2) / 1000


def play(socket):
    """Play until the connection ends; return the seconds for which the arena asks a bot to stay away."""

    def say(kind, **fields):
        socket.send(json.dumps({"type": kind, **fields}))

    say("hello", protocol=1, token=TOKEN, games=["checkers", "tictactoe"], version="1")
    for frame in socket:
        told = json.loads(frame)
        match told["type"]:
            case "turn":
                number, ply = told["match"], told["ply"]
                # after a lost connection the same turn comes again: repeat the move, do not search again
                if pending.get(number, {}).get("ply") != ply:
                    pending[number] = {"match": number, "ply": ply, "move": choose(told, budget(told))}
                say("move", **pending[number])
            case "accepted":  # the move is stored
                pending.pop(told["match"], None)
            case "over":
                pending.pop(told["match"], None)
                print(told["match"], told["result"], told["termination"], flush=True)
            case "draw-offered":
                say("answer-draw", match=told["match"], accept=False)
            case "challenged":
                say("answer-challenge", challenge=told["challenge"], accept=True)
            case "error":
                print(f"refused, {told['code']}: {told['message']}", file=sys.stderr)
            case "goodbye":
                if told.get("retry_after") is None:
                    raise SystemExit(f"the arena says goodbye: {told['reason']}")
                return told["retry_after"] / 1000
    return 0.0


delay = 0.5
while True:
    wait = 0.0
    try:
        with connect(URL, additional_headers={"Authorization": f"Bearer {TOKEN}"}) as socket:
            delay = 0.5
            wait = play(socket)
    except InvalidStatus as error:
        if error.response.status_code not in (429, 503):
            raise SystemExit(f"the arena refused the connection: {error}") from error
    except ConnectionClosed as closed:
        if closed.rcvd and closed.rcvd.code in FINAL:
            raise SystemExit(f"the arena closed the connection: {closed}") from closed
        print(f"the connection was lost: {closed}", file=sys.stderr)
    except OSError as error:
        print(f"no arena there: {error}", file=sys.stderr)
    time.sleep(wait + delay * random.uniform(0.5, 1.0))  # a random pause, so that bots do not return all at once
    delay = min(2 * delay, 30.0)
