# SPDX-License-Identifier: GPL-3.0-or-later
"""Codes of authenticator apps: time-based one-time passwords (TOTP) by RFC 6238.

With SHA-1, 6 digits and 30 s, which all apps know. No I/O.
"""

import base64
import hashlib
import hmac
import secrets
from urllib.parse import quote, urlencode

STEP = 30
"""Seconds for which a code is shown."""
DIGITS = 6
NEAR = 1
"""Steps before and after the current one whose codes count too: clocks differ."""


def make_secret() -> str:
    """Return a new secret: 160 random bits in base 32, as apps read it."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int, digits: int = DIGITS) -> str:
    """Return the code of a step: the Unix time divided by 30 s."""
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1)
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}}"


def step_of(secret: str, code: str, now: float) -> int | None:
    """Return the step to which a code belongs, among those near a Unix time; None: the code is wrong."""
    current, plain = int(now // STEP), "".join(code.split())
    found = None
    for step in range(current - NEAR, current + NEAR + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), plain.encode(errors="replace")):
            found = step
    return found


def address_of(secret: str, account: str) -> str:
    """Return the address by which an app takes over the secret of an account."""
    parameters = {"secret": secret, "issuer": "Bot Arena", "algorithm": "SHA1", "digits": DIGITS, "period": STEP}
    return f"otpauth://totp/{quote(f'Bot Arena:{account}')}?{urlencode(parameters, quote_via=quote)}"
