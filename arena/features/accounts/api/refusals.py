# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers to requests that the records, the passwords or the limits refuse."""

from collections.abc import Iterator
from contextlib import contextmanager

from arena.features.accounts.limits import Limited
from arena.features.accounts.mail import BadAddress
from arena.features.accounts.passwords import BadPassword, Busy
from arena.features.accounts.rows import BadCode, LastAdministrator, SecondFactorOn, TooMany
from arena.store.errors import BadName, BadValue, NameTaken, UnknownBot
from web.errors import BadRequest, Conflicting, Forbidden, NotFound, TooManyRequests

SOON, LATER = 1.0, 3600.0
"""Seconds until a request may succeed: when others are served, or when the owner has removed something."""

ERRORS = {
    403: "The account, or its token, may not do this; or the request comes from another site's page.",
    429: "A limit of the account or of the address is reached; Retry-After says when to try again.",
}
"""Errors of requests of accounts, for the OpenAPI document."""


@contextmanager
def refusals() -> Iterator[None]:
    """Convert refusals to answers."""
    try:
        yield
    except (BadAddress, BadName, BadPassword, BadValue) as error:
        raise BadRequest(str(error)) from None
    except (NameTaken, LastAdministrator, SecondFactorOn) as error:
        raise Conflicting(str(error)) from None
    except BadCode as error:
        raise Forbidden(str(error)) from None
    except UnknownBot as error:
        raise NotFound(str(error)) from None
    except TooMany as error:
        raise TooManyRequests(str(error), LATER) from None
    except Limited as error:
        raise TooManyRequests(str(error), error.retry_after) from None
    except Busy:
        raise TooManyRequests("too many passwords are checked at once; try again", SOON) from None
