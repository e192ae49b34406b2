# SPDX-License-Identifier: GPL-3.0-or-later
"""The languages of the pages: the choice for a request, the translated page, its script, and the source of texts."""

import posixpath
import re

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from tests.web.door import Door
from tests.web.test_assets import sources
from web.assets import ASSETS
from web.language import COOKIE, ENGLISH, Text, codes, language_of, language_with, plural, speaking, t
from web.wording import count, points_text

pytestmark = pytest.mark.asyncio(loop_scope="session")


def asked(accepted: str = "", cookie: str = "") -> web.Request:
    """Return a request of a browser with these settings."""
    headers = {"Accept-Language": accepted} if accepted else {}
    return make_mocked_request("GET", "/", headers | ({"Cookie": f"{COOKIE}={cookie}"} if cookie else {}))


@pytest.mark.parametrize(
    ("accepted", "cookie", "code"),
    [
        ("", "", "en"),
        ("de", "", "de"),
        ("de-AT,en;q=0.8", "", "de"),
        ("en-GB,de;q=0.9", "", "en"),
        ("fr,de;q=0.2,en;q=0.1", "", "de"),
        ("fr;q=0.9, xx", "", "en"),
        ("de;q=0,en;q=0.5", "", "en"),
        ("de;q=nonsense,en", "", "en"),
        ("*", "", "en"),
        ("en", "de", "de"),
        ("de", "en", "en"),
        ("de", "../../etc", "de"),
        ("xx," * 1000 + "de", "", "en"),
    ],
)
async def test_the_viewer_decides_then_the_browser(accepted: str, cookie: str, code: str) -> None:
    assert language_of(asked(accepted, cookie)).code == code


async def test_texts_numbers_and_markup_in_another_language() -> None:
    german = language_with("de")
    assert language_with("de") is german
    with speaking(german):
        assert t("match {0}", 7) == "Partie 7"
        assert plural(1, "{0} match", "{0} matches") == "1 Partie"
        assert plural(1234, "{0} match", "{0} matches") == "1.234 Partien"
        assert (count(12345), points_text(1.5)) == ("12.345", "+1,50")
        assert Text("match {0}", 7).spoken() == "Partie 7"
        assert t("This text has no translation: {0}.", "Nf3") == "This text has no translation: Nf3."
    with speaking(ENGLISH):
        assert t("match {0}", 7) == str(Text("match {0}", 7)) == "match 7"
        assert count(12345) == "12,345"


async def fetched(door: Door, path: str, language: str) -> tuple[str, str]:
    """Return a page in a language, and the headers that decide it."""
    async with door.http.get(f"http://{door.address}{path}", headers={"Accept-Language": language}) as response:
        assert response.status == 200
        return await response.text(), response.headers["Vary"]


@pytest.mark.parametrize("path", ["/", "/leaderboard?game=tictactoe", "/tournaments", "/bots", "/play", "/explore"])
async def test_a_page_comes_in_the_language_that_the_browser_asks_for(door: Door, path: str) -> None:
    english, vary = await fetched(door, path, "en")
    german, _ = await fetched(door, path, "de")
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", vary))
    assert '<html lang="en"' in english
    assert '<html lang="de"' in german
    assert "Zum Inhalt" in german
    # English pages load no translations
    assert "translations/" not in english
    assert "translating.js" not in english
    [address] = re.findall(r'src="([^"]+/translations/de/[0-9a-f]+\.js)"', german)
    async with door.http.get(f"http://{door.address}{address}") as response:
        assert response.status == 200
        assert response.content_type == "text/javascript"
        assert (await response.text()).startswith("import { speak }")
    # the language of one page changes no other
    assert (await fetched(door, path, "en"))[0].count('<html lang="en"') == 1


async def test_every_language_can_be_chosen(door: Door) -> None:
    english, _ = await fetched(door, "/", "en")
    assert f'data-languages="{" ".join(codes())}"' in english


LATER = re.compile(r"""(?:withTexts\("([^"\n]+)", \(\) => )?import\("(\.[^"\n]+)"\)""")
"""The import of a module when a part of the page needs it, with the name for its translations."""

STYLE = re.compile(r"""\b(\w+): \(\) => (import\("\./styles/\1\.js"\))""")
"""The import of a style of boards; the texts of all of them are asked for by a pattern of their names."""


async def test_modules_that_are_loaded_later_bring_their_translations(door: Door) -> None:
    assets, german = door.application[ASSETS], language_with("de")
    imports = list[tuple[str, str, str]]()
    for here in sources():
        # without types, which import too
        text = assets.read(here).decode()
        if here == "styles.js":
            assert "withTexts(`styles/${style}.js`, MODULES[style])" in text
            text, count = STYLE.subn(r'withTexts("styles/\1.js", () => \2)', text)
            assert count > 5
        imports += [(here, *found) for found in LATER.findall(text)]
    assert len(imports) > 5
    for here, name, target in imports:
        assert name == posixpath.normpath(posixpath.join(posixpath.dirname(here), target)), here
    url = german.script(assets, ["pages/match.js"])
    assert url is not None
    page = assets.read(url.split("/", 3)[3]).decode()
    [address] = re.findall(r'"search\.js": \(\) => import\("\./([0-9a-f]+\.js)"\)', page)
    assert "Kein Name enthält" not in page
    async with door.http.get(f"{url.rpartition('/')[0]}/{address}") as response:
        assert "Kein Name enthält" in await response.text()


FORMATTERS = {"format.js", "leaders/trend.js"}
"""``format.js`` writes the decimal sign of the language; the other module computes coordinates of a drawing."""


async def test_scripts_write_numbers_with_the_decimal_sign_of_the_language() -> None:
    for name, text in sources().items():
        if name not in FORMATTERS and not name.startswith("vendor/"):
            # without digits after it, there is no decimal sign
            assert not re.search(r"\.to(Fixed\((?!0\))|Precision\()", text), (
                f"{name}: use fixed() or precise() of format.js"
            )
