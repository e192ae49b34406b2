# SPDX-License-Identifier: GPL-3.0-or-later
"""The package of the SDK at /sdk: pip reads the list and installs the file, and the page "Connect a bot" says how."""

import asyncio
import hashlib
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from arena.features.sdk_wheel.part import SdkPart
from arena.features.sdk_wheel.wheel import NotBuilt, Source, build, find
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.web.door import Door, opened, unhurried

LINK = re.compile(r'<a href="([^"#]+)#sha256=([0-9a-f]{64})">([^<]+)</a>')

in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena of this checkout."""
    async with opened(tmp_path_factory.mktemp("arena"), unhurried("tictactoe")) as door:
        yield door


async def listed(door: Door, path: str) -> tuple[str, str, str]:
    """Return the address, the hash and the name of the only file in a list."""
    async with door.http.get(path) as response:
        assert response.status == 200
        assert response.content_type == "text/html"
        (link,) = LINK.findall(await response.text())
        address, digest, name = link
        return response.url.join(type(response.url)(address)).path, digest, name


@in_one_loop
async def test_the_list_has_the_wheel_with_its_hash(door: Door) -> None:
    address, digest, name = await listed(door, "/sdk/")
    assert name == door.arena.part(SdkPart).name
    assert address == f"/sdk/{name}"
    assert await listed(door, "/sdk") == (address, digest, name)
    async with door.http.get(address) as response:
        assert response.content_type == "application/octet-stream"
        assert hashlib.sha256(await response.read()).hexdigest() == digest


@in_one_loop
async def test_other_files_are_not_found(door: Door) -> None:
    for path in ("/sdk/bot_arena-0.1.0-py3-none-any.whl", "/sdk/..%2fpyproject.toml", "/sdk/pyproject.toml"):
        async with door.http.get(path) as response:
            assert response.status == 404


@in_one_loop
async def test_pip_finds_the_wheel_in_the_list_and_by_its_address(door: Door, tmp_path: Path) -> None:
    address, digest, name = await listed(door, "/sdk/")
    url = f"http://{door.address}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    for number, wanted in enumerate(
        (["--no-index", "--find-links", f"{url}/sdk/", "bot-arena-sdk"], [f"{url}{address}#sha256={digest}"])
    ):
        folder = tmp_path / str(number)
        await asyncio.to_thread(subprocess.run, [*pip, "--dest", str(folder), *wanted], check=True)
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    wrong = [*pip, "--dest", str(tmp_path / "wrong"), f"{url}{address}#sha256={'0' * 64}"]
    done = await asyncio.to_thread(subprocess.run, wrong, check=False, capture_output=True, text=True)
    assert "DO NOT MATCH THE HASHES" in done.stderr


async def test_an_installed_arena_reads_the_wheel_that_it_contains(tmp_path: Path) -> None:
    (tmp_path / "some-1-py3-none-any.whl").write_bytes(b"wheel")
    part = SdkPart(find(packed=tmp_path))
    wheel = await part.wheel()
    assert wheel is not None
    assert (wheel.name, wheel.content) == (part.name, b"wheel") == ("some-1-py3-none-any.whl", b"wheel")


def test_an_arena_without_both_has_no_source(tmp_path: Path) -> None:
    assert find(packed=tmp_path / "packed", project=tmp_path / "project") is None


async def test_all_requests_wait_for_one_reading() -> None:
    read: list[bytes] = []

    async def once() -> bytes:
        read.append(b"wheel")
        await asyncio.sleep(0)
        return b"wheel"

    part = SdkPart(Source("some.whl", once))
    wheels = await asyncio.gather(*(part.wheel() for _ in range(5)))
    assert len(set(wheels)) == len(read) == 1


async def test_a_build_that_fails_is_not_tried_again(tmp_path: Path) -> None:
    tries: list[str] = []

    async def fails() -> bytes:
        tries.append("try")
        return await build(tmp_path, "some.whl")

    with pytest.raises(NotBuilt):
        await fails()
    part = SdkPart(Source("some.whl", fails))
    assert await part.wheel() is None
    assert await part.wheel() is None
    assert tries == ["try", "try"]
    await part.stop()


async def test_a_reading_ends_with_the_arena() -> None:
    begun = asyncio.Event()

    async def never() -> bytes:
        begun.set()
        await asyncio.Event().wait()
        return b""

    part = SdkPart(Source("some.whl", never))
    asking = asyncio.create_task(part.wheel())
    await begun.wait()
    await part.stop()
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_the_page_says_how_to_install_it(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", shown)


async def shown(page: Page, door: Door) -> None:
    """Read the command, and follow the link to the list."""
    await page.goto(f"http://{door.address}/connect")
    name = door.arena.part(SdkPart).name
    command = page.get_by_text(f"pip install http://{door.address}/sdk/{name}", exact=True)
    await expect(command).to_be_visible()
    await fits(page)
    await sound(page)
    await page.get_by_role("link", name="/sdk/").click()
    await expect(page.get_by_role("link", name=str(name))).to_be_visible()
