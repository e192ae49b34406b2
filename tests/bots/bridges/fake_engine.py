# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine that behaves as its command line says: LANGUAGE BEHAVIOUR [LOG].

It knows no rules: it plays e2e4 or e7e5 first and then the knights out and back, which is enough for a few moves. What
it is sent is written to LOG.
"""

import os
import sys
import time

LANGUAGE, BEHAVIOUR, *LOG = sys.argv[1:]
LINES = {"w": ["e2e4", "g1f3", "f3g1", "g1f3", "f3g1"], "b": ["e7e5", "g8f6", "f6g8", "g8f6", "f6g8"]}


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def hang() -> None:
    """Answer nothing any more, whatever comes."""
    while True:
        time.sleep(600)


def misbehave(word: str) -> None:
    """Misbehave instead of moving; ``word`` comes before a move."""
    match BEHAVIOUR:
        case "hang":
            hang()
        case "die":
            os._exit(3)
        case "family":
            os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "98765")
            hang()
        case "illegal":
            say(f"{word} e2e5")
        case "nonsense":
            say(f"{word} <checkmate!>")
        case "none":
            say(f"{word} (none)")
        case "gibberish":
            sys.stdout.buffer.write(b"\xff\xfe\x00 info depth \x80\n")
            say("info depth deep score cp much pv a1a9 nodes -3")
            say("!§$%&/ 99 99")
        case "endless":
            while True:
                sys.stdout.write("info string " + 4096 * "x")


def uci() -> None:
    """Speak UCI."""
    moves: list[str] = []
    while line := sys.stdin.readline():
        note(line)
        words = line.split()
        match words[:1]:
            case ["uci"]:
                if BEHAVIOUR == "mute":
                    hang()
                say("id name Fake Engine 1.0")
                say("option name Hash type spin default 16 min 1 max 64")
                say("option name Own Book type check default true")
                say("uciok")
            case ["isready"]:
                if BEHAVIOUR == "unready":
                    hang()
                say("readyok")
            case ["position"]:
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
            case ["go"]:
                misbehave("bestmove")
                if BEHAVIOUR not in {"illegal", "nonsense", "none"}:
                    move = LINES["wb"[len(moves) % 2]][len(moves) // 2]
                    say(f"info depth 1 score cp 12 nodes 20 pv {move}")
                    say(f"info depth 9 score {'mate 3' if BEHAVIOUR == 'mate' else 'cp 34'} nodes 5678 pv {move}")
                    say(f"bestmove {move}")
            case ["quit"]:
                if BEHAVIOUR != "stubborn":
                    return
    if BEHAVIOUR == "stubborn":
        hang()


def xboard() -> None:
    """Speak xboard's protocol."""
    made = queries = 0
    while line := sys.stdin.readline():
        note(line)
        words = line.split()
        match words[:1]:
            case ["protover"]:
                queries += 1
                if BEHAVIOUR == "older" or (BEHAVIOUR == "slow" and queries < 2):
                    continue
                known = "" if BEHAVIOUR == "old" else "ping=1 setboard=1 usermove=1 "
                say(f'feature {known}sigint=0 myname="Fake XEngine" done=1')
            case ["new"]:
                made = 0
            case ["ping"]:
                say(f"pong {words[1]}")
            case ["usermove" | "e2e4" | "e7e5"]:
                if BEHAVIOUR == "complain":
                    say(f"Illegal move: {words[1]}")
                made += 1
            case ["go"]:
                misbehave("move")
                if BEHAVIOUR == "resign":
                    say("resign")
                elif BEHAVIOUR not in {"illegal", "nonsense", "none"}:
                    move = LINES["wb"[made % 2]][made // 2]
                    made += 1
                    say(f"7 -25 12 4321 {move}")
                    say(f"move {move}")
                    if BEHAVIOUR == "offer":
                        say("offer draw")
            case ["quit"]:
                return


def note(line: str) -> None:
    """Write down what came."""
    for path in LOG:
        with open(path, "a", encoding="utf-8") as file:  # noqa: PTH123  # fewer imports, a faster start
            file.write(line)


{"uci": uci, "xboard": xboard}[LANGUAGE]()
