# SPDX-License-Identifier: GPL-3.0-or-later
"""Token buckets."""

import pytest

from web.intake.metering import TokenBucket


def test_tokens_are_taken_at_once_and_refilled_with_time() -> None:
    bucket = TokenBucket(rate=2.0, capacity=10.0, now=100.0)
    bucket.take(10, 100.0)
    assert bucket.wait(100.0) == 0.0
    bucket.take(4, 100.0)
    assert bucket.wait(100.0) == 2.0
    assert bucket.wait(101.0) == 1.0
    assert bucket.wait(102.0) == 0.0
    assert bucket.wait(102.0, 1.0) == 0.5


def test_a_bucket_never_holds_more_than_its_capacity() -> None:
    bucket = TokenBucket(rate=2.0, capacity=10.0, now=0.0)
    bucket.take(11, 1000.0)
    assert bucket.wait(1000.0) == 0.5
    assert bucket.wait(1000.0, 1e9) == 5.5, "until it is full"


def test_a_clock_that_steps_back_adds_no_tokens() -> None:
    bucket = TokenBucket(rate=1.0, capacity=1.0, now=10.0)
    bucket.take(2, 10.0)
    assert bucket.wait(5.0) == pytest.approx(1.0)


def test_debt_is_limited() -> None:
    bucket = TokenBucket(rate=2.0, capacity=10.0, now=0.0, debt=4.0)
    bucket.take(1e6, 0.0)
    assert bucket.wait(0.0) == 2.0
