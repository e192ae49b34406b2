# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/explanation/architecture.md names the packages that there are, and documents link to files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def packages(parent: str) -> set[str]:
    return {str(found.parent.relative_to(ROOT)) for found in (ROOT / parent).glob("*/__init__.py")}


def test_every_package_of_the_arena_and_of_the_laboratory_is_described() -> None:
    named = set(re.findall(r"`((?:arena|lab)/\w+)`", PAGE))
    assert packages("arena") | packages("lab") <= named


def test_every_path_in_the_page_exists() -> None:
    named = re.findall(r"`((?:arena|bots|engine|lab|web)/[\w/.]+)`", PAGE)
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if "://" in link:
            continue
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def anchors(document: Path) -> set[str]:
    """The anchors of the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
