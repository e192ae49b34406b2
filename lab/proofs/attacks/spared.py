# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks of schemathesis: the token that it uses, its account and a bot of the account stay.

A request that would revoke this token, remove this bot, or change the role or the state of this account, goes to the
next number: after it, the token would have fewer rights. schemathesis loads this file by its path.
"""

import os
from typing import Any

import schemathesis

SPARED = {
    "POST /api/v1/account/tokens/{id}/revoke": "PROOF_TOKEN",
    "POST /api/v1/accounts/{id}/role": "PROOF_ACCOUNT",
    "POST /api/v1/accounts/{id}/disable": "PROOF_ACCOUNT",
    "POST /api/v1/bots/{id}/remove": "PROOF_BOT",
}
"""The environment variables with the spared numbers, by operation."""


def other_number(label: str, given: object) -> int | None:
    """Return the number that an operation gets instead of the given one; None: the given one is good."""
    spared = os.environ.get(SPARED.get(label, ""), "")
    return int(spared) + 1 if spared and str(given).strip().lstrip("+0") == spared else None


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, Any]) -> None:
    """Change the number of a request that would take the sender its rights."""
    other = other_number(case.operation.label, case.path_parameters.get("id"))
    if other is not None:
        case.path_parameters["id"] = other
