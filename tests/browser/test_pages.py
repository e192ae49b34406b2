# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages in a real browser: content, live updates, keyboard, widths and themes."""

import json
import re
from threading import Event

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import PATIENCE, Site
from tests.browser.held import held
from tests.features import declared

MILLISECONDS = 1000
WHOLE_PAGE_FITS = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
"""A function: the pages' policy forbids Playwright to evaluate a text again and again."""

NOTE_PLIES = """
noted = [];
new MutationObserver(() => {
  const text = document.querySelector(".replay .number").textContent;
  if (text !== noted.at(-1)) noted.push(text);
}).observe(document.querySelector(".replay"), { subtree: true, childList: true, characterData: true });
"""
NOTE_TEXTS = """
(element) => {
  noted = [];
  const changes = { subtree: true, childList: true, characterData: true };
  new MutationObserver(() => noted.push(element.textContent)).observe(element, changes);
}
"""
PAGES = (
    "/",
    "/matches",
    "/matches?bot=1&until=4102444800",
    "/matches?name=nobody",
    "/leaderboard?game=checkers",
    "/leaderboard?game=tictactoe&system=bradley-terry",
    "/tournaments",
    "/games/checkers",
    "/bots",
    "/bots/1",
    "/connect",
    "/api",
    *declared.PAGES,
)


def test_the_page_of_the_api_says_what_each_field_means(site: Site, page: Page) -> None:
    page.goto(f"{site.url}/api#BotAnswer")
    rows = page.locator("#BotAnswer tr")
    expect(rows.filter(has_text="connected")).to_contain_text("Whether the bot has a connection to the arena now.")
    for row in rows.all():
        expect(row.locator("td").last).to_have_text(re.compile(r"\w"))
    # code in backticks is an element
    expect(page.locator("#LeaderAnswer td code", has_text="complete")).to_have_text("complete")


def test_every_page_shows_problems_of_the_server(site: Site, page: Page) -> None:
    reason = "nothing can be written: <b>database or disk is full</b>"
    body = json.dumps(site.get("/status") | {"problems": [reason]})
    page.route("**/api/v1/status", lambda route: route.fulfill(body=body, content_type="application/json"))
    for path in ("/", "/bots", "/connect"):
        page.goto(site.url + path)
        expect(page.get_by_role("alert")).to_contain_text(reason)
    page.unroute("**/api/v1/status")
    page.goto(site.url + "/bots")
    expect(page.locator("#problems")).to_be_attached()
    expect(page.locator("#problems")).to_have_text("")


def test_the_lobby_shows_live_boards_that_change_by_themselves(site: Site, page: Page) -> None:
    with held(site, "checkers") as bot:
        page.goto(site.url + "/")
        page.get_by_role("link", name="Checkers", exact=True).click()
        expect(page).to_have_url(site.url + "/?game=checkers")
        link = page.locator(f'a[href="/matches/{bot.match}"]').filter(has=page.locator(".board"))
        card = page.locator(".card, .featured").and_(link.or_(page.locator(".featured").filter(has=link)))
        expect(card).to_be_visible()
        expect(card.locator(".piece")).not_to_have_count(0)
        ply = card.get_by_text(re.compile(r"ply \d+$"))
        before = ply.inner_text()
        bot.goes_on()
        expect(ply).not_to_have_text(before)
        page.reload()
        expect(card).to_be_visible()
        assert set(page.locator(".card .caption .ellipsis").all_inner_texts()) <= {"Checkers"}
    expect(page.locator('.tabs [aria-current="page"]')).to_have_text("Checkers")
    page.go_back()
    expect(page.locator('.tabs [aria-current="page"]')).to_have_text("All games")


def test_a_live_match_updates_without_a_reload(site: Site, page: Page) -> None:
    with held(site, "checkers") as bot:
        page.goto(f"{site.url}/matches/{bot.match}")
        expect(page.get_by_role("heading", name="Checkers", level=1)).to_be_visible()
        plies = page.locator(".replay .number")
        before = plies.inner_text()
        bot.goes_on()
        expect(plies).not_to_have_text(before)
        number = int(plies.inner_text().split("/")[1])
        assert page.locator(".moves button").count() >= number


def test_the_page_of_a_game_shows_its_rules(site: Site, page: Page) -> None:
    match = site.wait("/matches?status=finished&game=tictactoe")
    page.goto(f"{site.url}/matches/{match['id']}")
    page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    expect(page).to_have_url(f"{site.url}/games/tictactoe")
    expect(page.get_by_text("The first player with three marks in a row")).to_be_visible()
    expect(page.get_by_role("link", name="More about this game")).to_have_attribute("href", re.compile("^https://"))
    expect(page.locator(".board .label")).to_have_text(["3", "2", "a", "1", "b", "c"])


def test_player_names_of_a_live_match_link_to_bots(site: Site, page: Page) -> None:
    with held(site, "checkers") as bot:
        page.goto(f"{site.url}/matches/{bot.match}")
        plies = page.locator(".replay .number")
        before = plies.inner_text()
        bot.goes_on()
        # the names come with the stream now
        expect(plies).not_to_have_text(before)
        page.locator(".player").get_by_role("link", name=bot.name).click()
        expect(page.get_by_role("heading", name=bot.name, level=1)).to_be_visible()


def test_a_leaderboard_shows_ratings_and_their_certainty(site: Site, page: Page) -> None:
    site.wait("/leaderboard?game=tictactoe")
    page.goto(site.url + "/leaderboard?game=tictactoe")
    expect(page.get_by_role("link", name="Bradley-Terry")).to_have_attribute("aria-current", "page")
    line = page.locator(".leaders tbody tr:has(strong)").first
    expect(line.locator("strong")).to_have_text(re.compile(r"[\d,]+\??"))
    expect(line).to_contain_text("±")
    expect(page.get_by_role("columnheader", name="Elo")).to_be_visible()
    expect(page.locator(".matrix tbody tr").first).to_contain_text("%")
    page.get_by_role("link", name="Elo", exact=True).click()
    expect(page.locator(".leaders")).to_be_visible()
    expect(page.get_by_role("link", name="Elo", exact=True)).to_have_attribute("aria-current", "page")
    expect(line.locator("strong")).to_have_text(re.compile(r"^[\d,]+\??$"))
    line.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/bots/\d+"))
    expect(page.locator(".plot canvas")).to_be_visible()


def test_provisional_bots_are_below_a_rule_and_have_no_rank(site: Site, page: Page) -> None:
    sure = site.wait("/leaderboard?game=tictactoe") | {"rank": 1, "ranks": [1, 2], "provisional": False}
    sure |= {"wins": 7, "wins_by_failure": 3}
    unsure = sure | {"rank": None, "ranks": None, "provisional": True, "version": "fresh"}

    def made_up(route: Route) -> None:
        """Put two lines in the place of those that are there."""
        text = route.fetch().text()
        before, data, after = re.split(r'(?<=id="data">)(.*?)(?=</script>)', text, maxsplit=1)
        shown = json.loads(data)
        shown["leaderboard"] |= {"items": [sure, unsure], "next": None, "most": 2}
        route.fulfill(body=before + json.dumps(shown) + after, content_type="text/html")

    page.route("**/leaderboard?game=tictactoe", made_up)
    page.route_web_socket("**/api/v1/watch", lambda route: None)  # new ratings would replace the lines
    page.goto(site.url + "/leaderboard?game=tictactoe")
    settled, provisional = (page.locator(".leaders tbody").nth(number) for number in (0, 1))
    expect(settled.locator("tr")).to_have_count(1)
    expect(settled.locator("td").first).to_have_text("1")
    expect(settled.locator("td").nth(10)).to_have_text("3")
    expect(provisional).to_contain_text("Provisional (not ranked)")
    expect(provisional.locator("strong")).to_have_text(re.compile(r"\?$"))
    expect(page.get_by_text("This list has the 2 versions with the most games")).to_be_visible()


def test_a_finished_match_is_replayed_by_keys_and_slider(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    page.goto(f"{site.url}/matches/{match['id']}")
    total = match["plies"]
    plies = page.locator(".replay .number")
    expect(plies).to_have_text(f"{total} / {total}")
    expect(page.locator(".ending")).to_have_text(re.compile(r"(won with 3 in a row|Draw on a full board)\s*$"))
    page.keyboard.press("Home")
    expect(plies).to_have_text(f"0 / {total}")
    expect(page.locator(".frame .piece")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".frame .piece")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".frame .piece")).to_have_count(1)
    page.locator(".replay input").fill("3")
    expect(page.locator(".frame .piece")).to_have_count(3)
    page.keyboard.press("End")
    expect(page.locator(".frame .piece")).to_have_count(total)
    page.evaluate(NOTE_PLIES)
    page.keyboard.press(" ")  # from the start, by itself
    every = [f"{ply} / {total}" for ply in range(total + 1)]
    page.wait_for_function("every => every.every((each, place) => noted[place] === each)", arg=every)


def test_the_address_of_a_match_holds_the_view(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    address, total = f"{site.url}/matches/{match['id']}", match["plies"]
    plies = page.locator(".replay .number")
    page.goto(f"{address}?ply=2&flip=1")
    expect(plies).to_have_text(f"2 / {total}")
    flipped = page.locator(".table .player .name").all_inner_texts()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{address}?ply=3&flip=1")
    page.keyboard.press("f")
    expect(page).to_have_url(f"{address}?ply=3")
    expect(page.locator(".table .player .name")).to_have_text(flipped[::-1])
    page.keyboard.press("End")
    expect(page).to_have_url(address)
    page.evaluate("() => { location.hash = '#1'; }")
    expect(plies).to_have_text(f"1 / {total}")
    expect(page).to_have_url(f"{address}?ply=1")
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.written = text; }; }")
    page.get_by_role("button", name="Copy link at this move").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("written") == f"{address}?ply=1"
    answer = page.request.get(f"{address}?ply={total + 1}")
    assert answer.status == 404
    assert f"has {total} plies, and there is no ply {total + 1}" in answer.text()


def test_moves_have_one_tab_stop_and_arrow_keys(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    page.goto(f"{site.url}/matches/{match['id']}")
    moves = page.locator(".moves button")
    expect(moves).to_have_count(match["plies"])
    expect(page.locator('.moves button[tabindex="0"]')).to_have_count(1)
    moves.last.focus()
    for key, place in (
        ("ArrowUp", 2),
        ("ArrowLeft", 3),
        ("Home", match["plies"] - 1),
        ("ArrowDown", match["plies"] - 3),
    ):
        page.keyboard.press(key)
        expect(moves.nth(match["plies"] - 1 - place)).to_be_focused()
        expect(page.locator(".replay .number")).to_have_text(f"{match['plies'] - place} / {match['plies']}")
    expect(page.locator('.moves button[tabindex="0"]')).to_have_count(1)


def test_the_wheel_and_swipes_over_the_board_step(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    page.goto(f"{site.url}/matches/{match['id']}")
    plies = page.locator(".replay .number")
    expect(plies).to_have_text(f"{match['plies']} / {match['plies']}")
    box = page.locator(".frame .board").bounding_box()
    assert box is not None
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.mouse.move(middle["x"], middle["y"])
    page.mouse.wheel(0, -100)
    expect(plies).to_have_text(f"{match['plies'] - 1} / {match['plies']}")
    page.mouse.wheel(0, 100)
    expect(plies).to_have_text(f"{match['plies']} / {match['plies']}")
    fingers = page.context.new_cdp_session(page)
    for kind, shift in (("touchStart", 0), ("touchMove", 40), ("touchMove", 90), ("touchEnd", 90)):
        points = [] if kind == "touchEnd" else [{"x": middle["x"] + shift, "y": middle["y"]}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(plies).to_have_text(f"{match['plies'] - 1} / {match['plies']}")


def test_space_presses_the_focused_button(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    page.goto(f"{site.url}/matches/{match['id']}")
    # a page that loads sections listens to keys only once it is drawn, which may be after its load event
    expect(page.locator(".replay .number")).to_have_text(f"{match['plies']} / {match['plies']}")
    page.keyboard.press("Home")
    expect(page.locator(".replay .number")).to_have_text(f"0 / {match['plies']}")
    page.get_by_role("button", name="Play").focus()
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    expect(page.locator(".replay .number")).to_have_text(f"1 / {match['plies']}")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_flipping_turns_the_board_round(site: Site, page: Page) -> None:
    with held(site, "checkers") as bot:
        page.goto(f"{site.url}/matches/{bot.match}")
        names = page.locator(".table .player .name")
        expect(names).to_have_count(2)
        before = names.all_inner_texts()
        # keys are heard once the scripts have drawn
        expect(page.locator(".replay .number")).to_be_visible()
        page.keyboard.press("f")
        expect(names.first).to_have_text(before[1])


def test_the_list_of_keyboard_shortcuts(site: Site, page: Page) -> None:
    page.goto(site.url + "/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("light and dark theme")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_every_page_searches_bots_and_matches(site: Site, page: Page) -> None:
    match = site.wait("/matches?status=finished&game=tictactoe")
    name = match["players"][0]["name"]
    page.goto(site.url + "/leaderboard?game=tictactoe")
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search bots, tournaments and matches")
    expect(box).to_be_focused()
    page.keyboard.type("<b>nothing</b>")
    expect(page.get_by_role("dialog")).to_contain_text("No name contains “<b>nothing</b>”")
    box.fill(f"#{match['id']}")
    found = page.get_by_role("dialog").get_by_role("option")
    expect(found).to_have_text([f"Match {match['id']}match"])
    box.fill(name.upper())
    expect(found.filter(has_text=re.compile(f"^{re.escape(name)}bot$"))).to_have_count(1)
    expect(found.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    # the button is drawn before the script of the new page runs
    page.wait_for_url(re.compile(r"/bots/\d+$"), wait_until="load")
    page.get_by_role("button", name="Search by name").click()
    expect(box).to_be_focused()
    page.keyboard.type("any")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_list_of_bots_is_ordered_and_filtered(site: Site, page: Page) -> None:
    page.goto(f"{site.url}/bots")
    names = page.locator("td.name")
    head = page.get_by_role("columnheader")
    expect(head.filter(has_text="Status")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("link", name="Name").press("Enter")
    expect(head.filter(has_text="Name")).to_have_attribute("aria-sort", "ascending")
    page.wait_for_load_state()
    rising = names.all_inner_texts()
    assert len(rising) > 2
    assert rising == sorted(rising, key=str.lower)
    page.get_by_role("link", name="Name").click()
    expect(head.filter(has_text="Name")).to_have_attribute("aria-sort", "descending")
    page.wait_for_load_state()
    assert names.all_inner_texts() == rising[::-1]
    # the filter keeps the order
    page.get_by_role("searchbox", name="Name of a bot").fill(rising[0].upper())
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("name="))
    expect(head.filter(has_text="Name")).to_have_attribute("aria-sort", "descending")
    expect(names.filter(has_text=rising[0]).first).to_be_visible()
    expect(names.filter(has_not_text=rising[0])).to_have_count(0)
    page.get_by_role("searchbox", name="Name of a bot").fill("no such bot")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("heading", name="No bot passes the filters")).to_be_visible()
    page.get_by_role("link", name="Remove all filters").click()
    expect(names).to_have_count(len(rising))


def test_the_theme_is_chosen_and_remembered(site: Site, page: Page) -> None:
    page.goto(site.url + "/")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.keyboard.press("t")
    dark = page.evaluate(colour)
    assert dark != light
    page.goto(site.url + "/bots")
    assert page.evaluate(colour) == dark


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wider_than_a_phone(site: Site, page: Page, path: str) -> None:
    site.wait("/leaderboard?game=tictactoe")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site.url + path)
    # what scripts draw has replaced the first paint
    expect(page.locator("main noscript")).to_have_count(0)
    expect(page.locator("main > *").first).to_be_visible()
    assert page.evaluate(WHOLE_PAGE_FITS)


def test_an_unknown_page_shows_an_error_with_the_menu(site: Site, page: Page) -> None:
    answer = page.request.get(site.url + "/no-such-page")
    assert answer.status == 404
    assert "Not found" in answer.text()


def test_a_match_fits_a_phone_and_its_panels_become_tabs(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{site.url}/matches/{match['id']}")
    expect(page.locator(".moves")).to_be_visible()
    assert page.evaluate("scrollY") == 0  # the board comes first, not the last move
    expect(page.locator(".reports")).to_be_hidden()
    page.get_by_role("tab", name="Engines").click()
    expect(page.locator(".reports")).to_be_visible()
    expect(page.locator(".moves")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Graph")).to_be_focused()
    expect(page.locator(".plot")).to_be_visible()
    expect(page.locator(".reports")).to_be_hidden()
    assert page.evaluate(WHOLE_PAGE_FITS)


def test_a_page_hears_of_a_change_of_the_system_theme(site: Site, page: Page) -> None:
    page.goto(site.url + "/connect")
    page.evaluate("() => { window.told = 0; addEventListener('themechange', () => { told += 1; }); }")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => told === 1")  # graphs are drawn anew then


def test_a_command_is_copied_without_the_clipboard_api(site: Site, page: Page) -> None:
    # as on a page that is reached over plain HTTP by another name than localhost
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(site.url + "/connect")
    command = page.locator(".command").first
    command.get_by_role("button").evaluate(NOTE_TEXTS)
    command.get_by_role("button").click()
    page.wait_for_function("() => noted.includes('Copied')")  # it says so for a moment only
    assert page.evaluate("getSelection().toString()") == command.locator("code").inner_text()


def test_a_lost_connection_is_shown_and_restored(site: Site, page: Page) -> None:
    seen = Event()

    def fail_until_it_is_seen(route: WebSocketRoute) -> None:
        if seen.is_set():
            route.connect_to_server()
        else:
            route.close()

    page.route_web_socket(re.compile("/api/v1/watch"), fail_until_it_is_seen)
    with held(site, "checkers"):  # the lobby follows a live match
        page.goto(site.url + "/")
        expect(page.get_by_text("The connection to the arena is lost")).to_be_visible()
        seen.set()
        expect(page.locator("#connection p")).to_have_count(0, timeout=PATIENCE * MILLISECONDS)
