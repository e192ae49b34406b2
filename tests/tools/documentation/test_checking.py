# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of a built site finds broken links, and what the Content-Security-Policy forbids."""

from pathlib import Path

import pytest

from tools.documentation.checking import check
from tools.documentation.navigation import menu
from tools.documentation.staging import BrokenLink, sources, stage

FAULTS = {
    '<a href="../missing/">x</a>': "there is no ../missing/",
    '<a href="#nowhere">x</a>': "no such anchor",
    '<a href="../#nowhere">x</a>': "no such anchor",
    '<img src="none.png">': "there is no none.png",
    '<script src="https://cdn.example/x.js"></script>': "it loads https://cdn.example/x.js",
    '<link rel="stylesheet" href="//fonts.example/x.css">': "it loads //fonts.example/x.css",
    '<p style="color: red">x</p>': "the attribute style is inline",
    '<p onclick="x()">x</p>': "the attribute onclick is inline",
}
SOUND = (
    '<a href="../">x</a>',
    '<a href="../#here">x</a>',
    '<a href="#own">x</a><h2 id="own">y</h2>',
    '<a href="https://example.org/">x</a>',
    '<a href="../../">the arena</a>',
    '<img src="../file%20name.png">',
)


def site(folder: Path, page: str) -> Path:
    """Make a site with a page below its first one."""
    (folder / "below").mkdir()
    (folder / "index.html").write_text('<h1 id="here">x</h1>')
    (folder / "file name.png").touch()
    (folder / "below" / "index.html").write_text(page)
    return folder


@pytest.mark.parametrize(("page", "fault"), FAULTS.items())
def test_a_fault_is_found(tmp_path: Path, page: str, fault: str) -> None:
    (found,) = check(site(tmp_path, page))
    assert found.startswith("below/index.html: ")
    assert fault in found


@pytest.mark.parametrize("page", SOUND)
def test_what_is_sound_passes(tmp_path: Path, page: str) -> None:
    assert check(site(tmp_path, page)) == []


def test_a_link_to_what_the_site_does_not_have_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenLink, match=r"docs/one.md: two.md leads to nothing"):
        stage(tmp_path, {"docs/one.md": "see [two](two.md)"})
    stage(tmp_path, {"docs/one.md": "`[two](two.md)` is code, and [this](#here) is in the page"})


def test_files_come_along_and_links_follow(tmp_path: Path) -> None:
    page = "[a](../README.md) [b](../deploy/nginx.conf) [c](../../SECURITY.md#x) [d](https://example.org/)"
    pages = {"docs/how-to/one.md": page, "docs/README.md": "# Start", "SECURITY.md": "# Security"}
    stage(tmp_path, pages)
    expected = "[a](../index.md) [b](../deploy/nginx.conf) [c](../project/security.md#x) [d](https://example.org/)"
    assert (tmp_path / "how-to" / "one.md").read_text("utf-8") == expected
    assert (tmp_path / "deploy" / "nginx.conf").is_file()


def test_a_page_that_no_index_lists_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no index has how-to/forgotten.md"):
        menu({**sources(), "docs/how-to/forgotten.md": "# Forgotten"})
