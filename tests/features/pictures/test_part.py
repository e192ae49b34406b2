# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that renders pictures: it is replaced when it ends, and the newest pictures stay in memory."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio

from arena.features.pictures.part import PicturesPart, key_of
from arena.features.pictures.process import Job
from web.errors import RequestError

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="{}"/></svg>'


def job(number: int) -> Job:
    """Return the job of a drawing."""
    return Job("png", 64, [DRAWING.format(number)])


@pytest_asyncio.fixture
async def part() -> AsyncIterator[PicturesPart]:
    """A part that keeps one picture."""
    part = PicturesPart(kept=1)
    yield part
    await part.stop()


async def test_requests_for_one_picture_draw_it_once(part: PicturesPart) -> None:
    pictures = await asyncio.gather(*(part.picture("one", lambda: job(1)) for _ in range(5)))
    assert len(set(pictures)) == part.rendered == 1
    assert pictures[0].startswith(b"\x89PNG")


async def test_old_pictures_are_drawn_again(part: PicturesPart) -> None:
    pictures = [await part.picture(str(number), partial(job, number)) for number in (1, 2, 2, 1)]
    assert pictures[0] == pictures[3] != pictures[1] == pictures[2]
    assert part.rendered == 3


async def test_a_process_that_ended_is_replaced(part: PicturesPart) -> None:
    first = await part.picture("one", lambda: job(1))
    assert part._process is not None
    part._process.kill()
    await part._process.wait()
    await part.picture("two", lambda: job(2))
    assert await part.picture("one", lambda: job(1)) == first


async def test_a_failed_picture_is_refused_and_the_next_one_is_drawn(part: PicturesPart) -> None:
    with pytest.raises(RequestError) as failed:
        await part.picture("none", lambda: Job("png", 64, ["no drawing"]))
    assert (failed.value.status, failed.value.headers["Retry-After"]) == (503, "5")
    assert await part.picture("one", lambda: job(1))


async def test_a_cancelled_request_leaves_no_answer_to_the_next(part: PicturesPart) -> None:
    first = await part.picture("one", lambda: job(1))
    begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def make() -> Job:
        loop.call_soon_threadsafe(begun.set)
        return job(2)

    request = asyncio.create_task(part.picture("two", make))
    await begun.wait()
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert await part.picture("one", lambda: job(1)) == first


def test_keys_differ_by_content() -> None:
    assert key_of("a", 1) == key_of("a", 1) != key_of("a", 2)
