# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder tree of docs/architecture.md, captioned by the sources: `python -m tools.tree` writes it anew."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "architecture.md"
ROOMS = ("engine", "bots", "arena", "web", "tests", "tools")
SOURCES = (".py", ".js", ".css")
LONGEST = 96
"""Letters of a caption, beyond which its second half is left out."""

BLOCK = re.compile(r"(?<=<!-- tree -->\n```\n).*?(?=```\n<!-- /tree -->)", re.DOTALL)


def tree() -> str:
    """Return the tree: a line for each source, with the first sentence of what it says of itself."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *ROOMS],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    paths = sorted({Path(line) for line in listed if line.endswith(SOURCES) and (ROOT / line).exists()}, key=_order)
    lines: list[str] = []
    shown: set[Path] = set()
    for path in paths:
        for folder in reversed(path.parents[:-1]):
            if folder not in shown:
                shown.add(folder)
                lines.append(_line(len(folder.parts) - 1, f"{folder.name}/", _caption(ROOT / folder / "__init__.py")))
        if path.name != "__init__.py" and path.parts[0] != "tests":
            lines.append(_line(len(path.parts) - 1, path.name, _caption(ROOT / path)))
    return "\n".join(lines) + "\n"


def _order(path: Path) -> tuple[object, ...]:
    """Rooms as the house plan has them; within a folder its files before its folders."""
    folders = [part for folder in path.parts[1:-1] for part in (1, folder)]
    return ROOMS.index(path.parts[0]), *folders, 0, path.name


def _line(depth: int, name: str, caption: str) -> str:
    return f"{'  ' * depth + name:<32} {caption}".rstrip()


def _caption(path: Path) -> str:
    if not path.exists():
        return ""
    if path.suffix == ".py":
        text = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    else:
        remarks = [line.strip(" /*") for line in path.read_text().splitlines()[1:4] if line.startswith(("//", "/*"))]
        text = " ".join(remarks)
    sentence = re.split(r"(?<=[a-z`)][.])\s|\n\n", text.strip(), maxsplit=1)[0].replace("\n", " ").rstrip(".")
    return re.split(r"[:;] ", sentence, maxsplit=1)[0] if len(sentence) > LONGEST else sentence


if __name__ == "__main__":
    DOCUMENT.write_text(BLOCK.sub(lambda _: tree(), DOCUMENT.read_text()))
