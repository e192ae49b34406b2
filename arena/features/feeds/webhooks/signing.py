# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets and signatures of webhooks, as the Standard Webhooks specification (version 1) defines them.

The signature is HMAC-SHA256 over ``ID.TIMESTAMP.BODY`` in base64, after "v1,". The key is the secret after "whsec_",
decoded from base64.
"""

import base64
import hmac
import secrets

PREFIX = "whsec_"
KEY_BYTES = 32
ID_HEADER, TIME_HEADER, SIGNATURE_HEADER = "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"


def make_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def sign(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a body that is sent at a Unix time as the delivery ``message``."""
    signed = f"{message}.{timestamp}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret.removeprefix(PREFIX)), signed, "sha256")
    return "v1," + base64.b64encode(digest).decode()
