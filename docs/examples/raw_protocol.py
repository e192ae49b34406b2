# SPDX-License-Identifier: MIT
import json
import os
import random
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

URL = os.environ.get("ARENA_URL", "ws://127.0.0.1:8080/api/v1/play")
TOKEN = os.environ["ARENA_TOKEN"]
NOT_WANTED = {4401, 4403, 4409, 4426}  # unknown token, removed, connected elsewhere, protocol too old


def play(socket):
    def say(kind, **fields):
        socket.send(json.dumps({"type": kind, **fields}))

    say("hello", protocol=1, token=TOKEN, games=["checkers", "tictactoe"], version="1")
    for frame in socket:
        told = json.loads(frame)
        match told["type"]:
            case "turn":
                say("move", match=told["match"], ply=told["ply"], move=random.choice(told["legal_moves"]))
            case "draw-offered":
                say("answer-draw", match=told["match"], accept=False)
            case "challenged":
                say("answer-challenge", challenge=told["challenge"], accept=True)
            case "over":
                print(told["match"], told["result"], told["termination"], flush=True)


while True:
    try:
        with connect(URL) as socket:
            play(socket)
    except ConnectionClosed as closed:
        if closed.rcvd and closed.rcvd.code in NOT_WANTED:
            raise SystemExit(f"not wanted: {closed}") from closed
    except OSError as error:
        print(f"no arena there: {error}")
    time.sleep(random.uniform(0.5, 1.5))
