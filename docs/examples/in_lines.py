# SPDX-License-Identifier: MIT
import json
import random
import sys


def say(kind, **fields):
    print(json.dumps({"type": kind, **fields}), flush=True)


say("hello", protocol=1, games=["checkers", "tictactoe"], version="1")
for line in sys.stdin:
    told = json.loads(line)
    match told["type"]:
        case "turn":
            say("move", match=told["match"], ply=told["ply"], move=random.choice(told["legal_moves"]))
        case "draw-offered":
            say("answer-draw", match=told["match"], accept=False)
