# SPDX-License-Identifier: GPL-3.0-or-later
"""numba's type inference, without inferring the same again and again. The types are those that numba finds."""

from typing import Any

from numba.core import typeinfer
from numba.core.errors import TypingError
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import Function


class Inferer(typeinfer.TypeInferer):  # type: ignore[misc]  # numba has no types
    """numba's type inference, but the return type of recursive calls is inferred only once.

    numba infers all types of the function again for each such call in each round: a third of a search's compilation.
    """

    _returned: Any = None
    """The type that the calls return; None while it is not known."""

    def return_types_from_partial(self) -> Any:
        """Return the type that the function returns as far as it is known; None if it is not known yet."""
        if self._returned is None:
            self._returned = super().return_types_from_partial()
        return self._returned

    def get_return_type(self, typemap: Any) -> Any:
        """Return the type that the function returns. Raises TypingError if its recursive calls have another type."""
        returned = super().get_return_type(typemap)
        if self._returned not in (None, returned):
            raise TypingError(
                f"the function returns {returned}, but its calls of itself {self._returned}, the type of the return"
                " statements before them: convert the values to one type"
            )
        return returned


_resolved: dict[tuple[Any, ...], tuple[Any, Any]] = {}
"""Signature and key of the implementation by function, types of arguments, and flags of the caller."""

_resolve: Any = Function.get_call_type


def _signature(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    """Return the signature of a call of an operator or an overloaded function, as numba finds it the first time.

    A search calls the same few hundred operations thousands of times, and numba tries up to a hundred implementations
    for each call: a tenth of a search's compilation. A callee is compiled with flags of its caller, so these count too.
    """
    call = function, context, tuple(arguments), tuple(named.items()), ConfigStack.top_or_none()
    if call in _resolved:
        signature, function._impl_keys[signature.args] = _resolved[call]
        return signature
    signature = _resolve(function, context, arguments, named)
    _resolved[call] = signature, function._impl_keys[signature.args]
    return signature


def install() -> None:
    """Make numba infer types so."""
    typeinfer.TypeInferer = Inferer
    Function.get_call_type = _signature  # type: ignore[assignment, method-assign]  # it replaces numba's method, whose types are incomplete
