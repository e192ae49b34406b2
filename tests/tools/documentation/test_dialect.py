# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists and tables as GitHub reads them are the same for Python-Markdown."""

import pytest
from markdown import markdown

from tools.documentation.dialect import PARSER, converted

SAME = {
    "a list after a paragraph": "text\n- one\n- two",
    "a table after a paragraph": "text\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "a nested list": "- one\n  - inner\n  - other\n- two",
    "a nested list in a numbered one": "1. one\n   - inner\n   - other\n2. two",
    "wide numbers": "9. one\n10. two\n\n    more\n11. three",
    "paragraphs in items": "- one\n\n  more\n- two",
    "a table in an item": "- one\n\n  | a |\n  |---|\n  | 1 |\n\n- two",
    "a code block in an item": "1. one\n\n   ```\n   code\n     deeper\n   ```\n2. two",
    "a number that begins a line": "- the answer is\n  421. More text\n- two",
    "a number that begins a line of a paragraph": "the answer is\n421. More text",
    "a list that begins with another number": "6. six\n7. seven",
    "lines that continue an item without indentation": "- one\ncontinues\n- two",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_both_read_the_same(text: str) -> None:
    extensions = ["sane_lists", "tables", "fenced_code", "pymdownx.superfences"]
    assert outline(markdown(converted(text), extensions=extensions)) == outline(PARSER.render(text))


def outline(page: str) -> list[str]:
    """Return the elements of a page and its words; paragraphs in items are the same as none."""
    text = page.replace("<p>", "").replace("</p>", "").replace('<div class="highlight">', "").replace("</div>", "")
    text = text.replace("<span></span>", "").replace("<", " <").replace(">", "> ")
    return text.split()


def test_what_needs_no_change_stays() -> None:
    text = "# Title\n\ntext\n\n- one\n- two\n\n```\n- code\n  - code\n```\n"
    assert converted(text) == text
