# SPDX-License-Identifier: GPL-3.0-or-later
"""A GTP engine that behaves as its command line says: BEHAVIOUR [LOG].

It knows no rules: it plays the moves of a list, in turn. It writes the commands that it gets to LOG.
"""

import os
import sys
import time

BEHAVIOUR, *LOG = sys.argv[1:]
COMMANDS = ["name", "version", "list_commands", "boardsize", "clear_board", "komi", "play", "genmove", "quit"]
MOVES = ["E5", "c3", "G7", "pass"]


def say(text: str) -> None:
    """Write a text as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def hang() -> None:
    """Answer nothing any more, whatever comes."""
    while True:
        time.sleep(600)


def genmove() -> str:
    """Return a move, or misbehave."""
    match BEHAVIOUR:
        case "hang":
            hang()
        case "die":
            os._exit(3)
        case "family":
            os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "98766")
            hang()
        case "illegal":
            return "K9"
        case "nonsense":
            return "<my move>\nand more"
        case "none":
            return ""
        case "resign":
            return "resign"
        case "endless":
            while True:
                say(4096 * "x")
        case "chatter":
            while True:
                say(100 * "x" + "\n")
        case "long":
            say("= " + 30_000 * (60 * "x" + "\n") + "\n")
            hang()
        case "prelude":
            say("thinking ...\n\x00\x80%&\n\n")
    return MOVES.pop(0)


def answer(words: list[str]) -> str | None:
    """Return the answer to a command, None to refuse it."""
    match words:
        case ["protocol_version"] if BEHAVIOUR != "terse":
            return "1" if BEHAVIOUR == "older" else "3" if BEHAVIOUR == "newer" else "2"
        case ["name"] if BEHAVIOUR != "terse":
            return "Fake\tGo"
        case ["version"] if BEHAVIOUR != "terse":
            return "1.0"
        case ["list_commands"] if BEHAVIOUR != "terse":
            timed = [] if BEHAVIOUR == "untimed" else ["time_settings", "time_left"]
            othello = ["list_games", "set_game"] if BEHAVIOUR == "othello" else []
            return "\n".join(["protocol_version", *COMMANDS, *timed, *othello])
        case ["list_games"] if BEHAVIOUR == "othello":
            return "Othello\nGo"
        case ["boardsize", size]:
            sizes = {"othello": ["8", "9"], "eight": ["8"], "tiny": ["5"], "unready": []}.get(BEHAVIOUR, ["9", "19"])
            if BEHAVIOUR == "unready":
                hang()
            return "" if size in sizes else None
        case ["play", *_] if BEHAVIOUR == "complain":
            return None
        case ["genmove", _]:
            return None if BEHAVIOUR == "refuse" else genmove()
        case ["play" | "komi" | "clear_board" | "set_game" | "quit" | "time_settings" | "time_left", *_]:
            return ""
    return None


while line := sys.stdin.readline():
    for path in LOG:
        with open(path, "a", encoding="utf-8") as file:  # noqa: PTH123  # fewer imports, a faster start
            file.write(line)
    if BEHAVIOUR == "mute":
        hang()
    words = line.split()
    if words == ["quit"] and BEHAVIOUR == "stubborn":
        hang()
    found = answer(words)
    end = "\r\n" if BEHAVIOUR == "windows" else "\n"
    say(f"? unknown command{end}{end}" if found is None else f"= {found}{end}{end}")
    if words == ["quit"]:
        break
