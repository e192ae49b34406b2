# SPDX-License-Identifier: GPL-3.0-or-later
"""Roles of accounts, scopes of tokens, and names of accounts. No I/O."""

import re
from collections.abc import Iterable
from typing import Literal, get_args

from arena.store.errors import BadName

Role = Literal["owner", "organiser", "administrator"]
Scope = Literal["play", "submit", "organise", "administer"]

ROLES: tuple[Role, ...] = get_args(Role)
"""From the least rights to the most."""
SCOPES: tuple[Scope, ...] = get_args(Scope)

SIGN_UP = ("open", "invited", "closed")
"""Who may make an account."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
_ALIKE = str.maketrans("01i._+", "oll---")


def scopes_of(role: Role) -> frozenset[Scope]:
    """Return what an account of a role may do; a token has all of it or a part."""
    return frozenset(SCOPES[: len(SCOPES) - len(ROLES) + 1 + ROLES.index(role)])


def read_scopes(text: str) -> frozenset[Scope]:
    """Return the scopes of a stored token; unknown ones are left out."""
    words = text.split()
    return frozenset(scope for scope in SCOPES if scope in words)


def write_scopes(scopes: Iterable[Scope]) -> str:
    """Return the text under which a token's scopes are stored."""
    chosen = set(scopes)
    return " ".join(scope for scope in SCOPES if scope in chosen)


def check_name(name: str) -> str:
    """Return the name of a new account. Raises BadName."""
    if not _NAME.fullmatch(name):
        raise BadName(
            f"{name[:100]!r} is not a name for an account; choose another of up to 40 letters, digits and ._+-"
        )
    return name


def skeleton(name: str) -> str:
    """Return what two names share that look alike: case, ``0`` and ``O``, ``1``, ``I`` and ``l``, and the signs
    between words make no difference.
    """
    return name.lower().translate(_ALIKE)
