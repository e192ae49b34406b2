# SPDX-License-Identifier: GPL-3.0-or-later
"""Types are inferred once for each operation; a function that is compiled for several callers keeps theirs apart."""

import math
from typing import Any

import numba
import pytest
from numba.extending import overload

from engine.native import parts

parts.install()


def quotient(dividend: float, divisor: float) -> float:
    """Divide; compiled code takes the rules of division from its caller."""
    return dividend / divisor


overload(quotient)(lambda dividend, divisor: lambda dividend, divisor: dividend / divisor)


def divider(error_model: str) -> Any:
    """A new function that divides by one of numba's two rules."""
    return numba.njit(error_model=error_model)(lambda dividend, divisor: quotient(dividend, divisor))


@pytest.mark.parametrize("order", [("numpy", "python", "numpy"), ("python", "numpy", "python")])
def test_a_callee_follows_the_rules_of_its_own_caller(order: tuple[str, ...]) -> None:
    for error_model in order:
        divide = divider(error_model)
        assert divide(6.0, 4.0) == 1.5
        if error_model == "numpy":
            assert math.isinf(divide(1.0, 0.0))
        else:
            with pytest.raises(ZeroDivisionError):
                divide(1.0, 0.0)


def test_operations_of_other_types_have_other_results() -> None:
    add = numba.njit(lambda first, second: first + second)
    assert [add(1, 2), add(1, 2.5), add(1.5, 2), add(2**62, 2**62)] == [3, 3.5, 3.5, -(2**63)]
    assert isinstance(add(1, 2), int)
    assert isinstance(add(1, 2.5), float)


def test_a_call_that_no_implementation_takes_is_refused_each_time() -> None:
    add = numba.njit(lambda first, second: first + second)
    for _ in range(2):
        with pytest.raises(numba.TypingError):
            add(1, None)
