# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of live matches go on by themselves when the server knows no such match."""

import json
import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Site
from tests.browser.held import held

REFUSED = json.dumps({"type": "refused", "code": "unknown-match", "message": "no live match has this number"})


def test_a_refused_follow_request_is_repeated(site: Site, page: Page) -> None:
    followed: list[str] = []

    def refuse_once(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def asked(message: str | bytes) -> None:
            followed.append(str(message))
            if len(followed) == 1:
                route.send(REFUSED)
            else:
                server.send(message)

        route.on_message(asked)

    page.route_web_socket(re.compile("/api/v1/watch"), refuse_once)
    with held(site, "checkers") as bot:
        page.goto(f"{site.url}/matches/{bot.match}")
        plies = page.locator(".replay .number")
        before = plies.inner_text()
        bot.goes_on()
        expect(plies).not_to_have_text(before)
        expect(page.locator(".player .clock.running")).to_have_count(1)
    # a connection that is lost meanwhile follows once more
    assert len(followed) >= 2
    assert len(set(followed)) <= 2, "the page asks for the same match again"


def test_a_match_that_ended_while_disconnected_is_read_from_its_record(site: Site, page: Page) -> None:
    def refuse(route: WebSocketRoute) -> None:
        route.on_message(lambda message: route.send(REFUSED))

    page.route_web_socket(re.compile("/api/v1/watch"), refuse)
    with held(site, "checkers") as bot:
        page.goto(f"{site.url}/matches/{bot.match}")
        bot.gives_up()
        expect(page.locator(".ending")).to_be_visible()
        expect(page.locator("#connection p")).to_have_count(0)
