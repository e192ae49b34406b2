# SPDX-License-Identifier: MIT
"""JSON Schema and documentation of the wire, both made from the message classes."""

import ast
import inspect
import re
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from arena.protocol import errors, messages, watching
from arena.protocol.messages import ArenaMessage, BotMessage
from arena.protocol.version import MAX_MESSAGE, PLAY_PATH, PROTOCOL, WATCH_PATH
from arena.protocol.watching import SpectatorMessage, WatchMessage

DIRECTIONS = {
    "BotMessage": ("From a bot to the arena", BotMessage),
    "ArenaMessage": ("From the arena to a bot", ArenaMessage),
    "SpectatorMessage": ("From a spectator to the arena", SpectatorMessage),
    "WatchMessage": ("From the arena to a spectator", WatchMessage),
}
"""All messages by who says them to whom: the title, and the classes."""

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
    """Add to a message's schema what the class says of its fields."""
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
    """Return what the source of a class says below each of its members."""
    [tree] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    docs = {}
    for statement, following in zip(tree.body, tree.body[1:], strict=False):
        name, text = _member(statement), _text(following)
        if name and text:
            docs[name] = _one_line(text)
    return docs


def _member(statement: ast.stmt) -> str | None:
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _text(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None


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
    return kind is not Struct and kind not in _SPOKEN and not kind.__name__.startswith(("From", "To"))


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", "\\|").strip()


_INTRODUCTION = f"""\
# The protocol

This page is made from the message classes: `arena schema --docs`. The same as JSON Schema: `arena schema`.

A bot opens a WebSocket at `{PLAY_PATH}` and says `hello` with its token; the arena answers `welcome`. From then on the
arena sends `match` when a match starts and `turn` whenever a move is asked for; the bot answers each `turn` with
`move`, hears `accepted` once the move is in the record, and `over` at the end. That is all a bot needs.

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
  fields and messages it does not know; a bot must pass over those it does not know, so that the arena can say more
  later.
- **Defaults.** A field that has its default may be left out, both ways.
- **Times** are milliseconds, **seats** are 0 (moves first) and 1, **scores** are points seen by the side that reports
  them. `ply` counts the moves made so far, those of the opening included.
- **Mistakes.** A message that cannot be followed is answered with `error` and has no effect; the match goes on. An
  illegal move loses the match. Too many bad messages, or too many in a second, end the connection with a close code
  and lose the bot's running matches.
- **Dice.** Where dice decide, the arena rolls at once; what they showed stands among the moves, counts as a ply, and is
  in the position that `turn` gives. Each match has a secret of 128 random bits, drawn as it starts and independent of
  everything else, so the dice of one match tell nothing of another's. `match` brings the secret's commitment,
  `dice_commitment`, and `over` the secret, `dice_secret`; the API has both. So everybody can check that the dice were
  fixed before the first move:
  - the secret is 32 hexadecimal digits; its commitment is the SHA-256 of `dice commitment SECRET`;
  - the roll after so many plies is the SHA-256 of `dice NUMBER PLIES`, as a big-endian number, divided by how often all
    faces together come; the remainder counts through the faces. NUMBER is the secret as a number, in decimal.

  An example: the secret `000102030405060708090a0b0c0d0e0f` is the number 5233100606242806050955395731361295. Its
  commitment is `6f92b8399baf9e08b778226bbad4577b07de44e9370c29c463ff22931b563a56`. The SHA-256 of
  `dice 5233100606242806050955395731361295 0` ends in `9dc4827`, and leaves 1 when divided by 6: a die shows its
  second face, 2. `arena dice FILE --commitment HEX` checks all this in a match that was exported as JSON lines, where
  the number is called `seed`. Matches from before secrets were kept have a number of 63 bits and no commitment.
- **Search info.** Nobody can tell whether a spectator is the opponent, so what a bot reports in `info` is shown to
  nobody before the opponent may know it. In tournaments it is shown after the match, elsewhere once the same side has
  made its next move (the operator's choice: `info_release` and `tournament_info_release`). It is shown at once where
  both sides said `open_info` in `hello`, and between two built-in bots. `info_release` of a match tells which holds.
- **Frames and bytes.** Pings, pongs, parts of messages and bytes that begin no frame are counted beside messages, at
  the same rate. A connection that sends more, or more than 512 KiB a second for long, is read no faster than that, so
  it has to wait; one that still does not let off for five seconds is closed with 4429. Spectators' messages wait
  while requests and other spectators take more of the arena's time than they may; those of bots never do.
- **Repeating is harmless.** A move that was accepted before is acknowledged again.
- **Trying again.** Connect again, after a second or so and with some chance in it, when a connection ends or cannot be
  made, unless the close code says not to. A library may tell of the two in different ways: Node's `WebSocket` fires
  `error` and no `close` for a refused connection. Try again once for each, whichever event comes first.
- **Coming back.** A bot that lost its connection says `hello` again: `welcome` lists its running matches, one `match`
  with the whole state follows for each, and `turn` where it is to move. Its clock went on meanwhile; after the grace
  time it loses. The clocks of a new match stand still until both bots were told of it, and when the arena itself was
  started again, until both are back; a bot that stays away then makes the match void, unless the match is owed.
- **A pair is owed.** Rated matches outside tournaments come in pairs: as the first ends with a result, the second
  starts with seats swapped, between the same versions of both bots. A bot that is away gets it as soon as it is back,
  as that version and with the game in its `hello`; after the grace time it loses it, though no move was made. Only
  when both stay away, or the arena itself was started again, the match is void.
- **Built-in bots wait for a processor.** The turn of a built-in bot, and its clock, begin when the arena has a
  processor for its search, which may be a moment after your move. Where it oversteps its time because it had none, the
  match ends void, nobody's rating changes, and the same match follows again. Your own clock is not concerned.
- **One connection a bot.** A newer connection takes the place of the older, which is closed with 4409; running
  matches go on with the newer.
- **Spectators** open a WebSocket at `{WATCH_PATH}` and say what they follow.
"""
