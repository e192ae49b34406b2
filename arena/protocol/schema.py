# SPDX-License-Identifier: MIT
"""JSON Schema and documentation of the protocol, generated from the message classes."""

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

from arena.protocol import errors, messages, watching
from arena.protocol.codec import MAX_MESSAGE, PLAY_PATH, PROTOCOL, WATCH_PATH
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
    for field, text in field_docs(_classes()[name]).items():
        part["properties"][field]["description"] = text
    part["description"] = _one_line(part["description"])
    return part


@cache
def _classes() -> dict[str, type[Struct]]:
    named = [item for module in (messages, watching) for item in vars(module).items()]
    return {name: value for name, value in named if inspect.isclass(value) and issubclass(value, Struct)}


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
            docs.setdefault(".".join(path), {})[member] = _one_line(text)
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


# ---------------------------------------------------------------- documentation


def markdown() -> str:
    """Return the reference of all messages and codes, as Markdown."""
    parts = [_INTRODUCTION]
    for title, union in DIRECTIONS.values():
        parts.append(f"## {title}\n")
        parts.extend(_message(kind) for kind in get_args(union))
    parts.append("## Parts of messages\n")
    parts.extend(_message(kind) for kind in _classes().values() if _is_part(kind))
    parts.append("## Error codes\n")
    parts.append(_codes(errors.ErrorCode))
    parts.append("## Close codes\n")
    parts.append(_codes(errors.CloseCode))
    return "\n".join(parts)


def _message(kind: type[Struct]) -> str:
    tag = kind.__struct_config__.tag
    lines = [f"### {tag or kind.__name__}\n", _one_line(kind.__doc__ or ""), ""]
    fields = msgspec.structs.fields(kind)
    if fields:
        docs = field_docs(kind)
        lines += ["| field | type | default | |", "|---|---|---|---|"]
        for field in fields:
            default = "" if field.required else f"`{_default(field)}`"
            lines.append(f"| `{field.encode_name}` | {_type(field.type)} | {default} | {docs.get(field.name, '')} |")
        lines.append("")
    return "\n".join(lines)


def _default(field: msgspec.structs.FieldInfo) -> str:
    made = field.default_factory() if callable(field.default_factory) else field.default
    if made is msgspec.UNSET:
        return "omitted"
    return msgspec.json.encode(made).decode()


def _type(annotation: Any) -> str:
    """Write a type as people read it, from its JSON Schema."""
    [schema], _ = msgspec.json.schema_components([annotation], ref_template="{name}")
    return _words(schema)


def _words(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_words(part) for part in schema["anyOf"])
    if "prefixItems" in schema:
        return f"[{', '.join(_words(part) for part in schema['prefixItems'])}]"
    kind: str = schema.get("type", "any")
    if kind == "array":
        return f"list of {_words(schema['items'])}{_bounds(schema, 'maxItems', '')}"
    return kind + _bounds(schema, "maximum", "minimum") + _bounds(schema, "maxLength", "")


def _bounds(schema: dict[str, Any], high: str, low: str) -> str:
    parts = [f"≥ {schema[low]:g}" if low in schema else "", f"≤ {schema[high]:,}" if high in schema else ""]
    text = " and ".join(filter(None, parts))
    return f", {text}{' characters' if high == 'maxLength' else ''}" if text else ""


def _codes(kind: type[errors.ErrorCode] | type[errors.CloseCode]) -> str:
    docs = field_docs(kind)
    lines = ["| code | |", "|---|---|"]
    lines += [f"| `{code.value}` | {docs.get(code.name) or _spelled(code.name)} |" for code in kind]
    return "\n".join([*lines, ""])


def _spelled(name: str) -> str:
    return name.replace("_", " ").capitalize() + "."


def _is_part(kind: type[Struct]) -> bool:
    return kind not in _SPOKEN and not kind.__subclasses__()


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", "\\|").strip()


_INTRODUCTION = f"""\
# The protocol

`arena lab schema --docs` generates this page from the message classes. `arena lab schema` prints the same as JSON
Schema.

A bot opens a WebSocket at `{PLAY_PATH}` and sends `hello` with its token. The arena answers `welcome`. The arena sends
`match` when a match starts and `turn` when it needs a move. The bot answers each `turn` with `move`. The arena sends
`accepted` when the move is stored, and `over` at the end of the match. A bot needs no other messages.

```
bot    {{"type": "hello", "protocol": {PROTOCOL}, "token": "…", "games": ["tictactoe"]}}
arena  {{"type": "welcome", "protocol": {PROTOCOL}, "bot": "mine", "games": ["tictactoe"], "matches": [], …}}
arena  {{"type": "match", "match": 7, "game": "tictactoe", "seat": 0, …}}
arena  {{"type": "turn", "match": 7, "ply": 1, "position": ".../.x./...", "legal_moves": ["a1", …], …}}
bot    {{"type": "move", "match": 7, "ply": 1, "move": "a1"}}
arena  {{"type": "accepted", "match": 7, "ply": 1, "clock": 9950}}
…
arena  {{"type": "over", "match": 7, "result": "1-0", "score": 1.0, "termination": "decided", …}}
```

- **Frames.** Every message is one JSON object in one text frame of at most {MAX_MESSAGE:,} bytes. The arena refuses
  unknown fields and messages. A bot must ignore them, because later versions may add some.
- **Defaults.** Fields with default values may be omitted in both directions.
- **Units.** Times are in milliseconds. Seat 0 moves first, seat 1 second. Scores are from the reporting side's point of
  view. `ply` is the number of moves so far, opening included.
- **Errors.** The arena answers an invalid message with `error` and ignores it; the match continues. An illegal move
  loses the match. Too many invalid messages, or too many per second, close the connection and lose the bot's running
  matches.
- **Dice.** In games with dice the arena rolls. A roll is listed among the moves, counts as a ply, and is part of the
  position in `turn`. Each match has its own random secret of 128 bits, so the rolls of one match reveal nothing about
  those of another. `match` contains the commitment of the secret (`dice_commitment`), and `over` contains the secret
  (`dice_secret`). The API returns both. Everybody can verify that the rolls were fixed before the first move:
  - The secret has 32 hexadecimal digits. Its commitment is the SHA-256 of `dice commitment SECRET`.
  - For the roll after PLIES plies, take the SHA-256 of `dice NUMBER PLIES` as a big-endian number, modulo the sum of
    the frequencies of all faces. The first face whose cumulative frequency exceeds the remainder is rolled. NUMBER is
    the secret in decimal.

  Example: the secret `000102030405060708090a0b0c0d0e0f` is the number 5233100606242806050955395731361295. Its
  commitment is `6f92b8399baf9e08b778226bbad4577b07de44e9370c29c463ff22931b563a56`. The SHA-256 of
  `dice 5233100606242806050955395731361295 0` ends in `9dc4827` and is 1 modulo 6: a die shows its second face, 2.
  `arena verify --dice FILE --commitment HEX` verifies a match that was exported as JSON lines, where the number is
  called `seed`. Very old matches have a number of 63 bits and no commitment.
- **Search info.** A spectator can be the opponent. The arena therefore delays `info`: in tournaments until the match
  is over, in other matches until the same side's next move (settings `info_release` and `tournament_info_release`).
  Spectators see it at once if both sides sent `open_info` in `hello`, and between two built-in bots.
  In anonymous tournaments they always see it after the match. The field `info_release` of a match states the rule that
  applies.
- **Live search.** With `thinking` a bot shows spectators its search while its clock runs, if search info is not
  delayed. The arena drops surplus `thinking` without an error. It also drops `thinking` when the connection has used up
  half of its allowance of messages, so the bot can still move.
- **Limits.** Pings, pongs, fragments, and bytes that are not a valid frame count like messages. The arena slows down
  its reading of a connection that exceeds the allowed rate of messages, or 512 KiB per second on average. If the
  excess lasts five seconds it closes the connection with 4429. Messages of spectators can also wait because visitors
  have only a share of the server's time (`visitor_share`); messages of bots never wait for this.
- **Repeated moves.** The arena acknowledges a repeated move again and plays it once.
- **Reconnecting.** If a connection ends or fails, connect again after about a second with jitter, unless the close code
  forbids it. Some libraries report a refused connection differently from a lost one: for a refused one, Node's
  `WebSocket` fires `error` and no `close`. Reconnect once for each failure, whichever event comes first.
- **Resuming.** After a reconnection send `hello` again. `welcome` lists the running matches; `match` with the whole
  state follows for each, and `turn` if it is the bot's turn. The bot's clock runs meanwhile. A bot that is absent for
  longer than the reconnection time (`reconnect_grace`) loses. The clocks of a new match start when both bots have
  received it. After a restart of the arena they start when both bots are back. If one bot stays away then, the match is
  void. This also holds for the second match of a pair.
- **Pairs.** Rated matches outside tournaments are pairs: after the first match ends with a result, the second starts
  with swapped seats, between the same versions. An absent bot receives it when it returns with that version and with
  the game in its `hello`. After the reconnection time it loses, even if no move was played. The match is void only if
  both bots stay away, or if one of them does not come back after a restart of the arena.
- **Built-in bots** start their turn, and their clock, when a processor is free for their search. If a built-in bot
  exceeds its time because no processor was free, the match is void, no rating changes, and the match is repeated. This
  does not affect your own clock.
- **One connection per bot.** A newer connection replaces the older one, which is closed with 4409. Running matches
  continue on the newer one.
- **Spectators** open a WebSocket at `{WATCH_PATH}` and send the messages below.
"""
