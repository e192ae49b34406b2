# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages in German: no text stays English, nothing is wider than a phone, and the viewer chooses the language."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from web.application import STATIC
from web.assets import read_assets
from web.language import language_with

FOLDER = read_assets(STATIC).url("sentences.js").rpartition("/")[0]

PAGES = (
    *("/", "/matches", "/leaderboard", "/tournaments", "/bots", "/connect", "/games/checkers", "/play", "/explore"),
    *("/sign-in", "/sign-up", "/reset-password", "/populations", "/islands", "/no-such-page"),
)

TEXTS = """
() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!parentElement.closest("script, style, code, pre, bdi")) texts.push(data.trim());
  }
  for (const name of ["title", "aria-label", "placeholder", "alt"]) {
    for (const element of document.body.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
  }
  return texts;
}
"""
"""All texts of a page, whether it shows them now or not."""

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def german(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="de-AT", viewport={"width": 360, "height": 780})
    yield context.new_page()
    context.close()


def english(page: Page) -> set[str]:
    """Return the texts of a page that have a German translation, and are not translated."""
    known = {text for text, made in language_with("de").texts.items() if text not in made}
    shown: list[str] = page.evaluate(TEXTS)
    return known & set(shown)


@pytest.mark.parametrize("path", PAGES)
def test_a_german_page_has_german_texts_and_fits_a_phone(site: Site, german: Page, path: str) -> None:
    german.goto(site.url + path)
    expect(german.locator("html")).to_have_attribute("lang", "de")
    # what scripts draw has replaced the first paint, and is in place
    expect(german.locator("main noscript")).to_have_count(0)
    expect(german.locator("main h1").first).to_be_visible()
    assert english(german) == set()
    assert german.evaluate(WIDER) == 0


def test_a_match_has_german_texts(site: Site, german: Page) -> None:
    match = site.finished("tictactoe")
    german.goto(f"{site.url}/matches/{match['id']}")
    expect(german.get_by_role("heading", name="Tic-Tac-Toe")).to_be_visible()
    expect(german.get_by_role("slider", name="Halbzug", exact=True)).to_be_visible()
    assert english(german) == set()
    assert german.evaluate(WIDER) == 0


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_bar_of_chances_shows_both_scores(site: Site, browser: Browser, language: str) -> None:
    match = site.finished("checkers", without="random")
    with browser.new_context(locale=language) as context:
        page = context.new_page()
        page.goto(f"{site.url}/matches/{match['id']}?ply={match['plies'] - 1}")
        expect(page.locator(".chances .fill")).to_have_attribute("style", re.compile(r"^height: \d+(\.\d+)?%;$"))
        for seat in range(2):
            tick = page.locator(f".chances .tick.seat{seat}")
            expect(tick).to_have_attribute("style", re.compile(r"^bottom: \d+(\.\d+)?%;$"))


def test_the_first_paint_is_in_the_language_of_the_viewer(site: Site, german: Page) -> None:
    german.route("**/pages/*.js", lambda route: route.abort())
    german.goto(f"{site.url}/leaderboard")
    expect(german.get_by_role("heading", name="Rangliste")).to_be_visible()
    assert english(german) == set()


def test_the_viewer_chooses_the_language(site: Site, german: Page) -> None:
    german.goto(f"{site.url}/")
    german.get_by_role("button", name="Einstellungen und Tastenkürzel").click()
    german.get_by_label("Sprache").select_option("en")
    expect(german.get_by_role("heading", name="Now playing")).to_be_visible()
    expect(german.locator("html")).to_have_attribute("lang", "en")
    requested: list[str] = []
    german.on("request", lambda request: requested.append(request.url))
    german.goto(f"{site.url}/leaderboard")
    expect(german.get_by_role("heading", name="Leaderboard")).to_be_visible()
    assert [url for url in requested if "translat" in url] == []
    german.get_by_role("button", name="Settings and keyboard shortcuts").click()
    german.get_by_label("Language").select_option("")
    expect(german.get_by_role("heading", name="Rangliste")).to_be_visible()


ADDED = """
async (folder) => {
  const { speakMore } = await import(`${folder}/texts.js`);
  const { translatedSentence } = await import(`${folder}/sentences.js`);
  const text = "it failed twice: the attempt took 3.5 s";
  const shown = [];
  for (const texts of [
    {},
    { "sentence\\u0004it failed {0}": "er scheiterte {0}" },
    { "sentence\\u0004it failed {0}: {1}": "er scheiterte {0} ({1})" },
    { "sentence\\u0004the attempt took {0} s": "{0} s" },
  ]) {
    speakMore(texts);
    shown.push(translatedSentence(text));
  }
  return shown;
}
"""


def test_sentences_of_the_server_use_translations_that_a_page_loads_later(site: Site, german: Page) -> None:
    german.goto(site.url + "/connect")
    assert german.evaluate(ADDED, FOLDER) == [
        "it failed twice: the attempt took 3.5 s",
        "er scheiterte twice: the attempt took 3.5 s",
        "er scheiterte twice (the attempt took 3.5 s)",
        "er scheiterte twice (3,5 s)",
    ]
