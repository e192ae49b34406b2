# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that people might upload: an ordinary bot, and those that misbehave."""

from pathlib import Path
from typing import Literal

from arena.protocol.hosting import HostingOrders, UploadedProgram, Validation, ValidationOrders

FAKE = Path(__file__).parents[1] / "bridges" / "fake_program.py"

TEN_LINES = """\
from bots import Bot, run

class Mine(Bot):
    games = ["tictactoe", "nim"]
    version = "2"
    description = "The first legal move."

    def move(self, turn):
        return turn.legal_moves[0]

run(Mine(), url="", token="")
"""

SHELL = r"""#!/bin/sh
echo '{"type":"hello","protocol":1,"games":["tictactoe"],"version":"7"}'
while read -r line; do
  case $line in *'"type":"turn"'*)
    match=${line#*\"match\":} ply=${line#*\"ply\":} move=${line#*\"legal_moves\":[\"}
    echo "{\"type\":\"move\",\"match\":${match%%,*},\"ply\":${ply%%,*},\"move\":\"${move%%\"*}\"}" ;;
  esac
done
"""

MIB = 1 << 20


def misbehaving(behaviour: str) -> str:
    """Return the source of a program that misbehaves as ``fake_program.py`` does."""
    source = FAKE.read_text("utf-8")
    return source.replace("import json", f"import sys; sys.argv = ['', {behaviour!r}]\nimport json", 1)


def uploaded(
    folder: Path,
    source: str | bytearray,
    language: Literal["python", "executable", "wasm", "data"] = "python",
    entry: str = "bot",
) -> UploadedProgram:
    """Write a program where every user may read it. ``entry``: the name of its file, or a class of the module bot."""
    files = folder / "files"
    files.mkdir()
    for each in (folder, files):
        each.chmod(0o755)
    file = files / ("bot.py" if ":" in entry else entry)
    file.write_bytes(source.encode() if isinstance(source, str) else source)
    file.chmod(0o755)
    return UploadedProgram(str(files), entry, language)


def orders(
    program: UploadedProgram, *, games: list[str] | None = None, offered: tuple[str, ...] = ("tictactoe",), **more: str
) -> ValidationOrders:
    """Return the orders to validate a program, with time for the slowest machine."""
    time_control = more.get("time_control", "600+0")
    own = HostingOrders("ws://127.0.0.1:1", list(offered), 4, 600.0, 1024 * MIB, time_control, 600.0)
    return ValidationOrders(own, Validation(1, 1.0, program, games or []))
