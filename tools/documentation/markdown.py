# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of generated pages."""

import re
from collections.abc import Iterable, Sequence

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|#])")


def literal(text: str) -> str:
    """Return Markdown that shows a text as it is."""
    return _SIGNS.sub(r"\\\1", text).replace("&", "&amp;").replace("\\<", "&lt;")


def prose(text: str) -> str:
    """Return Markdown that shows a text with its code in backticks, in one line."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", " ".join(text.split()))
    return "".join(code(part.strip("`")) if part.startswith("`") else literal(part) for part in parts)


def code(text: str) -> str:
    """Return Markdown that shows a text as code, also in a table."""
    fence = "``" if "`" in text else "`"
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, with an empty one behind it."""
    lines = [head, ["---"] * len(head), *rows]
    return [*(f"| {' | '.join(cells)} |" for cells in lines), ""]
