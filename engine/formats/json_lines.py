# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON lines: one record per line, for all games, without loss."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import ValidationError, json

from engine.formats import Format, Unreadable, refuse
from engine.match.record import Record

_decoder = json.Decoder(Record)
_encoder = json.Encoder()


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]:
    """Read records; blank lines are skipped. The legality of moves is not checked."""
    for number, line in enumerate(lines, 1):
        if line.isspace() or not line:
            continue
        try:
            record = _decoder.decode(line)
        except (ValidationError, ValueError) as error:
            unreadable(Unreadable(number, str(error)))
        else:
            yield record


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write each record as a line."""
    for record in records:
        yield _encoder.encode(record).decode() + "\n"


FORMAT = Format("jsonl", "JSON lines", lambda game: True, read, write)
