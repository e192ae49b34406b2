# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of ``docs/reference`` that are made from declarations: the tags of PGN and PDN, and the WebAssembly interface.

python -m tools.documentation.declared
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from arena.protocol import conditions
from bots.wasm import abi
from engine.formats import pdn, tags
from tools.documentation.markdown import code, table

FOLDER = Path(__file__).parents[2] / "docs" / "reference"

_WORDS = {"I": "32 bits, unsigned", "i": "32 bits, signed", "Q": "64 bits, unsigned"}


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


def tags_page() -> str:
    """Return the page of the tags."""
    standard = [
        *((tag.name, tag.meaning) for tag in tags.EVENT),
        *((colour, f"name of the player with the colour {colour}") for colour in tags.COLOURS),
        (tags.RESULT.name, tags.RESULT.meaning),
    ]
    of_players = [
        (f"{colour}{tag.name}", f"{colour}'s {tag.meaning}") for colour in tags.COLOURS for tag in tags.OF_PLAYERS
    ]
    more = [*of_players, *((tag.name, tag.meaning) for tag in tags.MORE)]
    of_format = [(tag.name, tag.meaning) for tag in pdn.SPECIAL]
    parts = [_TAGS, *_tags(standard), _TAGS_OF_PDN, *_tags(of_format), _FURTHER_TAGS, *_tags(more)]
    return "\n".join([*parts, _TAGS_OF_INSTRUCTIONS, *_tags(conditions.TAGS.items())])


_TAGS = """\
# Tags of PGN and PDN

`make docs` writes this page from the lists of tags in `engine/formats` and `arena/protocol/conditions.py`.

Files of games in PGN and PDN begin each game with tags, in the order of these tables. Readers keep unknown tags with
the record, and writers write them at the end. [Records of games](records.md) has examples.

## The seven standard tags

`?` stands for an unknown value.
"""

_TAGS_OF_PDN = """\
## Tags of PDN
"""

_FURTHER_TAGS = """\
## Further tags

A tag without a value is left out.
"""

_TAGS_OF_INSTRUCTIONS = """\
## Tags of matches by instructions

An arena's exports have them; `arena verify` replays the match from them.
"""


def wasm_page() -> str:
    """Return the page of the WebAssembly interface."""
    memory = (code(abi.MEMORY), "memory", "the bot's memory")
    optional = (_function(each, prefix="optional: ") for each in abi.OPTIONAL)
    exports = [memory, *map(_function, abi.REQUIRED), *optional]
    imports = [_function(each, module=f"{abi.IMPORTS}.") for each in (abi.LOG, abi.INSTRUCTIONS_USED)]
    parts = [
        _INTERFACE,
        *table(("export", "type", "meaning"), exports),
        _ANSWER,
        *table(("offset", "field", "type", "meaning"), _layout()),
        _IMPORTS,
        *table(("import", "type", "meaning"), imports),
    ]
    return "\n".join(parts)


_INTERFACE = f"""\
# The WebAssembly interface

`make docs` writes this page from the declarations in `bots/wasm/abi.py`.

This is version {abi.MACHINE} of the interface. [WebAssembly bots](../how-to/wasm.md) shows how to write a bot;
[arena_bot.h](../examples/arena_bot.h) declares the interface for C.

All numbers are little-endian; pointers have 32 bits. Texts are UTF-8 and end with a zero byte.

## Exports of a bot
"""

_ANSWER = f"""\
## The answer to a turn

`{abi.MOVE}` returns the number of a move in the turn's list, from 0. `{abi.RESIGN}` resigns. A move's number plus
{abi.OFFER_DRAW} (2³⁰) offers a draw with the move.

## The layout of a turn

The pointers to the legal moves and all texts follow the last field.
"""

_IMPORTS = """\
## Imports
"""


PAGES: Mapping[str, Callable[[], str]] = {"tags.md": tags_page, "webassembly.md": wasm_page}
"""The pages, by their file names."""


def _tags(rows: Iterable[tuple[str, str]]) -> list[str]:
    return table(("tag", "value"), [(code(name), meaning) for name, meaning in rows])


def _function(each: abi.Function, *, module: str = "", prefix: str = "") -> tuple[str, str, str]:
    kind = f"({', '.join(each.parameters)}) -> {each.result or '()'}"
    return code(f"{module}{each.name}"), code(kind), f"{prefix}{each.meaning}"


def _layout() -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of the table of a turn: offset in bytes, name, type and meaning."""
    offset = 0
    for field in abi.TURN:
        yield str(offset), code(field.name), _WORDS[field.code], field.meaning
        offset += struct.calcsize(f"<{field.code}")


if __name__ == "__main__":
    main()
