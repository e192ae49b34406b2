# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the pages: compressed, kept for ever by browsers, and loaded together with all that they import."""

import gzip
import json
import os
import re
import subprocess
from functools import partial
from pathlib import Path

import pytest

from tests.features import declared
from tests.tools.test_scripts import PATH, ROOT
from tests.web.door import Door
from tests.web.test_pages import page
from web.application import STATIC
from web.assets import ASSETS, Assets, check_libraries
from web.drawing.boards import FURTHER_SHAPES
from web.feature import LOBBY_SECTIONS

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_files_are_compressed_and_cached_for_ever(door: Door) -> None:
    url = door.application[ASSETS].url("style.css")
    whole = (STATIC / "style.css").read_bytes()
    async with door.http.get(url, auto_decompress=False) as response:
        packed = await response.read()
        assert response.headers["Content-Encoding"] == "gzip"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.headers["Content-Type"] == "text/css; charset=utf-8"
        assert gzip.decompress(packed) == whole
        assert len(packed) < len(whole) / 2
        etag = response.headers["ETag"]
    async with door.http.get(url, headers={"Accept-Encoding": "identity"}) as response:
        assert ("Content-Encoding" in response.headers, await response.read()) == (False, whole)
    async with door.http.get(url, headers={"If-None-Match": etag}) as response:
        assert response.status == 304


async def test_a_page_loads_all_style_sheets_in_one_file(door: Door) -> None:
    document = await page(door, "/")
    [style] = [each["href"] for tag, each in document.elements if tag == "link" and each["rel"] == "stylesheet"]
    async with door.http.get(str(style)) as response:
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        sent = await response.read()
    places = [sent.index(path.read_bytes()) for path in (STATIC / "style.css", STATIC / "board.css")]
    assert places == sorted(places)
    assert all(path.read_bytes() in sent for path in STATIC.glob("*.css"))


async def test_pages_are_compressed_and_revalidated(door: Door) -> None:
    etag = ""
    for path in ("/", "/leaderboard", "/connect", "/api", "/api/v1/openapi.json"):
        async with door.http.get(path) as response:
            assert response.headers["Content-Encoding"] == "gzip", path
            assert response.headers["Cache-Control"] == "no-cache"
            etag = response.headers["ETag"]
    async with door.http.get("/api", headers={"If-None-Match": etag}) as response:
        assert response.status == 200
    async with door.http.get("/api/v1/openapi.json", headers={"If-None-Match": etag}) as response:
        assert response.status == 304


async def test_files_at_an_old_address_are_not_cached(door: Door) -> None:
    async with door.http.get("/static/0123456789abcdef/style.css") as response:
        assert (response.status, response.headers["Cache-Control"]) == (200, "no-cache")


async def test_the_address_of_files_changes_with_any_file(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("1")
    (tmp_path / "two.js").write_text("2")
    before = Assets(tmp_path).version
    assert Assets(tmp_path).version == before
    (tmp_path / "two.js").write_text("3")
    changed = Assets(tmp_path).version
    (tmp_path / "two.js").rename(tmp_path / "three.js")
    assert len({before, changed, Assets(tmp_path).version}) == 3
    with pytest.raises(KeyError):
        Assets(tmp_path).url("two.js")


async def test_a_checkout_without_browser_libraries_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"missing in .*vendor; run `make setup`"):
        check_libraries(tmp_path)


async def test_comments_and_indentation_are_removed(tmp_path: Path) -> None:
    licence = "// SPDX-License-Identifier: MIT\n"
    script = '// One.\nconst at = "/** here */"; // two\n  /**\n   * @param {number} x\n   */\n'
    script += "const f = (x) =>\n/** @type {2} */ (x);\n/** @type {3} */\nf(/** @type {{ a: 1 }} */ (1)); // three\n"
    script += "const g = `a; // four\n  const h = b; // five`;\n"
    (tmp_path / "one.js").write_text(licence + script)
    (tmp_path / "one.d.ts").write_text("export const f: number;")
    assets = Assets(tmp_path)
    sent = '\nconst at = "/** here */";\n\n\n\nconst f = (x) =>\n(x);\n\nf((1));\n'
    sent += "const g = `a; // four\n  const h = b; // five`;\n"
    assert assets.read("one.js").decode() == licence + sent
    with pytest.raises(KeyError):
        assets.read("one.d.ts")


def sources() -> dict[str, str]:
    """Return the scripts of the pages as they are in the repository, by their names below the static files."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for folder in (STATIC, *declared.STATIC)
        for path in Path(folder).rglob("*.js")
    }


CHANGED = r"""
import { parse } from "acorn";
import { readFileSync } from "node:fs";

/** A syntax tree without its places; the white space at the beginnings of lines of marked texts does not count. */
function treeOf(script) {
  const tree = parse(script, { ecmaVersion: "latest", sourceType: "module" });
  return JSON.stringify(tree, (name, value) => {
    if (["start", "end", "raw"].includes(name)) return undefined;
    if (value?.type !== "TaggedTemplateExpression") return value;
    const strings = value.quasi.quasis.map((each) => each.value.cooked.replaceAll(/\n[ \t]+/g, "\n"));
    return { ...value, quasi: { ...value.quasi, quasis: strings } };
  });
}
const pairs = Object.entries(JSON.parse(readFileSync(0, "utf8")));
const changed = pairs.filter(([, [source, sent]]) => treeOf(source) !== treeOf(sent));
console.log(JSON.stringify(changed.map(([name]) => name)));
"""
"""Reads pairs of scripts by name; prints the names of those that do not mean the same."""


def changed(pairs: dict[str, tuple[str, str]]) -> list[str]:
    """Return the names of the scripts that mean something else when they are sent."""
    command = ["node", "--input-type=module", "--eval", CHANGED]
    environment = {**os.environ, "PATH": PATH}
    run = partial(subprocess.run, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    names: list[str] = json.loads(run(command, input=json.dumps(pairs)).stdout)
    return names


async def test_what_is_removed_from_scripts_means_nothing(door: Door) -> None:
    assets = door.application[ASSETS]
    pairs = {name: (source, assets.read(name).decode()) for name, source in sources().items()}
    assert len(pairs) > 100
    assert changed(pairs) == []
    assert changed({"own.js": ("const a = `b\n  c`;", "const a = `b\nc`;")}) == ["own.js"]


async def test_all_modules_of_a_page_are_preloaded(door: Door) -> None:
    """Also those that only others import: no file is found out by loading another."""
    assets = door.application[ASSETS]
    for script in [path.relative_to(STATIC).as_posix() for path in (STATIC / "pages").glob("*.js")]:
        modules = assets.modules(script)
        for name in (module.split("/", 3)[3] for module in modules):
            text = assets.read(name).decode()
            for target in re.findall(r"""^(?:import|export)\b[^;"'=(]*["'](\.[^"']+)["'];""", text, re.MULTILINE):
                found = ((STATIC / name).parent / target).resolve().relative_to(STATIC.resolve()).as_posix()
                assert assets.url(found) in modules
    links = [dict(attributes) for tag, attributes in (await page(door, "/")).elements if tag == "link"]
    preloaded = [link["href"] for link in links if link["rel"] == "modulepreload"]
    scripts = ["pages/lobby.js", *(section.script for section in door.application[LOBBY_SECTIONS])]
    async with door.http.get("/api/v1/games") as answer:
        boards = [game["board"] for game in (await answer.json())["items"]]
    scripts += [f"styles/{board['style']}.js" for board in boards]
    shapes = {piece["shape"] for board in boards for piece in board["pieces"].values()}
    scripts += [name for shape, name in FURTHER_SHAPES.items() if shape in shapes]
    assert preloaded == list(dict.fromkeys(module for script in scripts for module in assets.modules(script)))
    assert assets.url("vendor/preact.js") in preloaded
    assert assets.url("vendor/uplot.js") not in preloaded
