# SPDX-License-Identifier: MIT
"""JSON Schema of the protocol, generated from the message classes and their docstrings."""

import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import Struct

from arena.protocol import messages, watching
from arena.protocol.codec import PROTOCOL
from arena.protocol.messages import ArenaMessage, BotMessage
from arena.protocol.watching import SpectatorMessage, WatchMessage

DIRECTIONS = {
    "BotMessage": ("From a bot to the arena", BotMessage),
    "ArenaMessage": ("From the arena to a bot", ArenaMessage),
    "SpectatorMessage": ("From a spectator to the arena", SpectatorMessage),
    "WatchMessage": ("From the arena to a spectator", WatchMessage),
}
"""The messages of each direction: title and classes."""

_SPOKEN: list[type[Struct]] = [kind for _, union in DIRECTIONS.values() for kind in get_args(union)]


def json_schema() -> dict[str, Any]:
    """Return a JSON Schema (2020-12) with a definition of each message, and one of each direction's messages
    together.
    """
    _, components = msgspec.json.schema_components(_SPOKEN, ref_template="#/$defs/{name}")
    definitions: dict[str, Any] = {name: _described(name, part) for name, part in sorted(components.items())}
    for name, (title, union) in DIRECTIONS.items():
        choice = [{"$ref": f"#/$defs/{kind.__name__}"} for kind in get_args(union)]
        definitions[name] = {"title": title, "oneOf": choice}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Bot Arena protocol {PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in DIRECTIONS],
        "$defs": definitions,
    }


def _described(name: str, part: dict[str, Any]) -> dict[str, Any]:
    """Add the docstrings of a class's fields to its JSON schema."""
    for field, text in meanings(classes()[name]).items():
        part["properties"][field]["description"] = text
    part["description"] = one_line(part["description"])
    return part


@cache
def classes() -> dict[str, type[Struct]]:
    """Return the classes of the messages and of their parts, by name."""
    named = [item for module in (messages, watching) for item in vars(module).items()]
    return {name: value for name, value in named if inspect.isclass(value) and issubclass(value, Struct)}


def is_message(kind: type[Struct]) -> bool:
    """Return whether a class is a message, and not a part of messages."""
    return kind in _SPOKEN


def meanings(kind: type[Struct]) -> dict[str, str]:
    """Return the meaning of each field of a message: its docstring, or what its name means in all messages.

    Raises KeyError for a field with neither.
    """
    docs = {name: text for each in (*_LIKE.get(kind, ()), kind) for name, text in field_docs(each).items()}
    return {field.name: docs.get(field.name) or COMMON[field.name] for field in msgspec.structs.fields(kind)}


_LIKE: dict[type[Struct], tuple[type[Struct], ...]] = {watching.LobbyChanged: (watching.Lobby,)}
"""Messages whose fields mean the same as those of other ones."""

COMMON = {
    "accept": "`true`: accept; `false`: decline.",
    "challenge": "Number of the challenge.",
    "clocks": "Remaining times of both seats; null without clocks.",
    "code": "The error code, for programs.",
    "detail": "Details of the end, for people.",
    "draw_offered": "Whether there is a valid draw offer of the opponent.",
    "game": "Name of the game.",
    "info": "Search info.",
    "match": "Number of the match.",
    "message": "The reason, for people.",
    "move": "The move in the game's notation.",
    "ply": "Number of moves so far, opening included.",
    "position": "The current position.",
    "rated": "Whether the match changes ratings.",
    "result": '"1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void).',
    "seat": "0: moves first; 1: second.",
    "termination": "Reason of the end, as in `over`.",
    "time_class": 'The time class; "instructions": each move has a limit of instructions instead of a clock.',
    "time_control": "The time control; null: none.",
    "to_move": "The seat to move; -1: a roll follows. Where both seats choose at the same time: 0.",
    "tournament": "Number of the tournament.",
}
"""The meaning of fields that mean the same in all messages, if they have no docstring."""


@cache
def field_docs(kind: type) -> dict[str, str]:
    """Return the docstring below each member, from the source of a class."""
    return _docs_of(sys.modules[kind.__module__]).get(kind.__qualname__, {})


@cache
def _docs_of(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return the docstrings below the members of the classes of a module.

    ``ast`` would read them too. But threads that use it at the same time disturb each other in CPython 3.11
    (SystemError), and numba uses it while it compiles.
    """
    docs: dict[str, dict[str, str]] = {}
    path: list[str] = []
    """The names of the blocks around a statement; those that are no classes have the name ""."""
    member = ""
    for depth, tokens in _statements(inspect.getsource(module)):
        del path[depth:]
        words = [token.string for token in tokens]
        if member and all(token.type == tokenize.STRING for token in tokens):
            # compiled, and not ast.literal_eval: that is ast again
            text = eval(" ".join(words), {})
            docs.setdefault(".".join(path), {})[member] = one_line(text)
        member = words[0] if _is_member(words) else ""
        path += [words[1] if words[0] == "class" else ""] if words[-1] == ":" else []
    return docs


def _statements(source: str) -> Iterator[tuple[int, list[tokenize.TokenInfo]]]:
    """Yield the statements of a source, without comments, and how deep each is indented."""
    depth, tokens = 0, list[tokenize.TokenInfo]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        match token.type:
            case tokenize.INDENT:
                depth += 1
            case tokenize.DEDENT:
                depth -= 1
            case tokenize.NEWLINE:
                yield depth, tokens
                tokens = []
            case tokenize.COMMENT | tokenize.NL | tokenize.ENDMARKER:
                pass
            case _:
                tokens.append(token)


def _is_member(words: Sequence[str]) -> bool:
    """Return whether a statement declares a field or a value, and no variable of the class."""
    return words[0].isidentifier() and words[1:2] in ([":"], ["="]) and words[2:4] != ["ClassVar", "["]


def one_line(text: str) -> str:
    """Return a docstring as one line of Markdown that a table can hold."""
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", "\\|").strip()
