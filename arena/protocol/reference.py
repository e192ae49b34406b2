# SPDX-License-Identifier: MIT
"""Reference of the protocol as Markdown, generated from the message classes and their docstrings."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct

from arena.protocol import errors
from arena.protocol.codec import MAX_MESSAGE, PLAY_PATH, PROTOCOL, WATCH_PATH
from arena.protocol.schema import DIRECTIONS, classes, field_docs, is_message, meanings, one_line

_BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def markdown() -> str:
    """Return the reference of all messages and codes."""
    parts = [_INTRODUCTION]
    for title, union in DIRECTIONS.values():
        parts.append(f"## {title}\n")
        parts.extend(_message(kind) for kind in get_args(union))
    parts.append("## Parts of messages\n")
    parts.extend(_message(kind) for kind in classes().values() if _is_part(kind))
    parts.append("## Error codes\n")
    parts.append(_codes(errors.ErrorCode))
    parts.append("## Close codes\n")
    parts.append(_codes(errors.CloseCode))
    return "\n".join(parts)


def type_words(schema: Mapping[str, Any], page: str = "") -> str:
    """Return a type in words, from its JSON Schema, with links to the types that it names on ``page`` (empty: the same
    page).
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}]({page}#{name.lower()})"
    if "anyOf" in schema:
        parts = [type_words(part, page) for part in schema["anyOf"]]
        return (", or " if any(" of " in part for part in parts) else " or ").join(parts)
    if "enum" in schema:
        return " or ".join(map(_value, schema["enum"]))
    if "const" in schema:
        return _value(schema["const"])
    match schema.get("type"):
        case "array":
            if "prefixItems" in schema:
                return f"[{', '.join(type_words(part, page) for part in schema['prefixItems'])}]"
            items = f" of {type_words(schema['items'], page)}" if schema.get("items") else ""
            return f"list{_range(schema, 'minItems', 'maxItems')}{items}"
        case "object":
            values = schema.get("additionalProperties")
            words = f" with values of {type_words(values, page)}" if isinstance(values, Mapping) and values else ""
            return f"object{_range(schema, 'minProperties', 'maxProperties')}{words}"
        case "string":
            pattern = f" (pattern {_value(schema['pattern'], '')})" if "pattern" in schema else ""
            return f"string{_range(schema, 'minLength', 'maxLength', ' characters')}{pattern}"
        case None:
            return "any value"
        case list() as kinds:
            return " or ".join(kinds)
        case kind:
            if {"minimum", "maximum"} <= schema.keys():
                return f"{kind}{_range(schema, 'minimum', 'maximum')}"
            bounds = ", ".join(f"{sign} {_number(schema[key])}" for key, sign in _BOUNDS.items() if key in schema)
            return f"{kind} ({bounds})" if bounds else str(kind)


def _range(schema: Mapping[str, Any], low: str, high: str, unit: str = "") -> str:
    """Return the bounds of a number or a length, in brackets; empty: it has none."""
    if low in schema and high in schema:
        return f" ({_number(schema[low])} to {_number(schema[high])}{unit})"
    sign, key = ("≥", low) if low in schema else ("≤", high)
    return f" ({sign} {_number(schema[key])}{unit})" if key in schema else ""


def _number(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:,.15g}"


def _value(value: object, quote: str = '"') -> str:
    """Return a value of JSON as code."""
    text = f"{quote}{value}{quote}" if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"`{text}`".replace("|", "\\|")


def _message(kind: type[Struct]) -> str:
    tag = kind.__struct_config__.tag
    lines = [f"### {tag or kind.__name__}\n", one_line(kind.__doc__ or ""), ""]
    fields = msgspec.structs.fields(kind)
    if fields:
        docs = meanings(kind)
        lines += ["| field | type | default | meaning |", "|---|---|---|---|"]
        for field in fields:
            default = "" if field.required else f"`{_default(field)}`"
            lines.append(f"| `{field.encode_name}` | {_type(field.type)} | {default} | {docs[field.name]} |")
        lines.append("")
    return "\n".join(lines)


def _default(field: msgspec.structs.FieldInfo) -> str:
    made = field.default_factory() if callable(field.default_factory) else field.default
    if made is msgspec.UNSET:
        return "omitted"
    return msgspec.json.encode(made).decode()


def _type(annotation: Any) -> str:
    [schema], _ = msgspec.json.schema_components([annotation], ref_template="{name}")
    return type_words(schema)


def _codes(kind: type[errors.ErrorCode] | type[errors.CloseCode]) -> str:
    docs = field_docs(kind)
    lines = ["| code | meaning |", "|---|---|"]
    lines += [f"| `{code.value}` | {docs.get(code.name) or _spelled(code.name)} |" for code in kind]
    return "\n".join([*lines, ""])


def _spelled(name: str) -> str:
    return name.replace("_", " ").capitalize() + "."


def _is_part(kind: type[Struct]) -> bool:
    return not is_message(kind) and not kind.__subclasses__()


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
  unknown fields and messages from bots. A bot must ignore unknown fields and messages from the arena, because later
  versions may add some.
- **Defaults.** Fields with default values may be omitted in both directions. Fields without a default value are
  required.
- **Units.** Times are in milliseconds. Seat 0 moves first, seat 1 second. Scores are from the reporting side's point of
  view. `ply` is the number of moves so far, opening included.
- **Payoffs.** In some games a win counts more than one point, such as a gammon in backgammon. `payoff` in `over` is the
  number of points that the winner gets. In games that are not zero-sum, such as the Prisoner's Dilemma, `points` has
  the points of both seats instead, after draws too. Ratings depend on wins, draws and losses only. If a bot
  resigns, runs out of time or forfeits, it loses the largest number of points that the rules still allow.
- **Errors.** The arena answers an invalid message with `error` and ignores it; the match continues. An illegal move
  loses the match. If a bot sends too many invalid messages, or too many messages per second, the arena closes the
  connection, and the bot loses its running matches.
- **Dice.** In games with dice the arena rolls them. A roll is listed among the moves, counts as a ply, and is part of
  the position in `turn`. Each match has its own random secret of 128 bits, so the rolls of one match reveal nothing
  about those of another. `match` contains the commitment of the secret (`dice_commitment`), and `over` contains the
  secret (`dice_secret`). The API returns both. Everybody can verify that the rolls were fixed before the first move:
  - The secret has 32 hexadecimal digits. Its commitment is the SHA-256 of `dice commitment SECRET`.
  - For the roll after PLIES plies, take the SHA-256 of `dice NUMBER PLIES` as a big-endian number, modulo the sum of
    the frequencies of all faces. The first face whose cumulative frequency exceeds the remainder is rolled. NUMBER is
    the secret in decimal. [Games](../how-to/games.md#order-of-rolls-and-cards) has the order of the faces.
  - In unrated tournaments dice may be mirrored (`mirrored_dice` in `match`): the two matches of a pair, with swapped
    seats, have one secret, and each seat has the same rolls in both. Take the SHA-256 of `dice NUMBER seat SEAT ROLL`,
    where SEAT is the seat that moves after the roll and ROLL counts its rolls from 0. In hold'em both matches deal the
    same cards in the same hand (duplicate deals): take the SHA-256 of `dice NUMBER deal HAND CARD`, where HAND and CARD
    count from 0. `over` then contains no secret; the API and exports contain it once the last match of the pair is
    over. Until then, in games with hidden information, everybody sees only the public view and the result of a match
    that is over (`sealed_until`). Rated matches never have mirrored dice: a bot could remember them.

  Example: the secret `000102030405060708090a0b0c0d0e0f` is the number 5233100606242806050955395731361295. Its
  commitment is `6f92b8399baf9e08b778226bbad4577b07de44e9370c29c463ff22931b563a56`. The SHA-256 of
  `dice 5233100606242806050955395731361295 0` ends in `9dc4827` and is 1 modulo 6: a die shows its second face, 2.
  `arena verify --dice FILE --commitment HEX` verifies a match that was exported as JSON lines, where the number is
  called `seed`. Very old matches have a number of 63 bits and no commitment.
- **Hidden information.** In some games a seat does not see the whole position. `position` is then what the bot's own
  seat sees. In `moves` and `last_move`, `?` stands for a move, a card or a choice that the seat may not know, or for a
  part of a move: `K?` are two cards of which the seat sees the first, `?xd5` is a capture on d5. A bot always sees its
  own moves in full. All of `legal_moves` may be played, and an illegal move loses as in any game. In a game with
  refused tries (Phantom Go) a refused move is not illegal: it is stored and counts as a ply, and the same bot gets the
  next `turn`, with its try as `last_move`. Until the match is over, and until another match with the same deal is over,
  spectators, the API, pictures and pages show the public view only; then they show everything. Search info of such
  matches appears after the match. With the commitment, and the secret at the end, everybody can also verify the cards,
  which are dealt by the same computation as rolls.
- **Simultaneous moves.** Where both seats choose at the same time, the arena sends `turn` to both, and both clocks run.
  The `ply` of seat 0's move is that of the position; the `ply` of seat 1's move is one higher. The arena shows the
  first move to nobody. When it has both, it stores them, sends `accepted` to both bots, and shows them. A bot that has
  chosen cannot change its choice: further moves are answered with the error `not-your-turn`. As seat 1's move is the
  later one, `last_move` of the next turn is that move for both bots; `position` and `moves` have both. Search info of
  such matches appears after the match.
- **Search info.** A spectator can be the opponent. The arena therefore delays `info`: in tournaments until the match
  is over, in other matches until the same side's next move (settings `info_release` and `tournament_info_release`).
  Spectators see it at once if both sides sent `open_info` in `hello`, or if both bots are built in.
  In anonymous tournaments they always see it after the match. The field `info_release` of a match states the rule that
  applies.
- **Live search.** With `thinking` a bot shows spectators its search while its clock runs, if search info is not
  delayed. The arena drops surplus `thinking` without an error. It also drops `thinking` when the connection has used up
  half of its allowance of messages, so the bot can still move.
- **Limits.** Pings, pongs, fragments, and bytes that are not a valid frame count like messages. The arena slows down
  its reading of a connection that exceeds the allowed rate of messages, or 512 KiB per second on average. If the
  excess lasts five seconds it closes the connection with 4429. Messages of spectators can also wait because visitors
  have only a share of the server's time (`visitor_share`); messages of bots never wait for this.
- **Repeated moves.** The arena acknowledges a repeated move again and plays it once. If `turn` comes twice for a ply,
  because another server took the match over, the arena plays the first answer that counts, and drops a different one
  without an error.
- **Reconnecting.** If a connection ends or fails, connect again after about a second with jitter, unless the close code
  forbids it. Some libraries report a refused connection differently from a lost one: for a refused one, Node's
  `WebSocket` fires `error` and no `close`. Reconnect once for each failure, whichever event comes first.
- **Resuming.** After a reconnection send `hello` again. `welcome` lists the running matches; `match` with the whole
  state follows for each, and `turn` if it is the bot's turn. The bot's clock runs meanwhile. A bot that is absent for
  longer than the reconnection time (`reconnect_grace`) loses. The clocks of a new match start when both bots have
  received it. After a restart of the arena they start when both bots are back. If a bot does not come back after the
  restart, the match is void. This also holds for the second match of a pair.
- **Pairs.** Rated matches outside tournaments are pairs: after the first match ends with a result, the second starts
  with swapped seats, between the same versions. An absent bot receives the second match when it returns with that
  version and with the game in its `hello`. If it does not return within the reconnection time, it loses, even if no
  move was played. The match is void only if both bots stay away, or if one of them does not come back after a restart
  of the arena.
- **Built-in bots.** The turn and the clock of a built-in bot start when a processor is free for its search. If a
  built-in bot exceeds its time because no processor was free, the match is void, no rating changes, and the match is
  repeated. This does not affect your own clock.
- **One connection per bot.** A newer connection replaces the older one, which is closed with 4409. Running matches
  continue on the newer one.
- **Spectators** open a WebSocket at `{WATCH_PATH}` and send the messages below.
"""
