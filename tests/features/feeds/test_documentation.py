# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of docs/how-to/feeds.md accept genuine requests only."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.features.feeds.webhooks.signing import make_secret, sign
from tests.bots.test_documentation import node

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "feeds.md"
SECRET, BODY, NOW = make_secret(), b'{"type": "test", "name": "\xc3\xa9"}', 1_700_000_000
SIGNATURE = sign(SECRET, "msg_7", NOW, BODY)

CASES: list[tuple[str, bytes, str, float, bool]] = [
    (SECRET, BODY, SIGNATURE, NOW, True),
    (SECRET, BODY, f"v1,AAAA {SIGNATURE}", NOW + 299, True),
    (SECRET, BODY, SIGNATURE, NOW + 301, False),
    (SECRET, BODY + b" ", SIGNATURE, NOW, False),
    (make_secret(), BODY, SIGNATURE, NOW, False),
    (SECRET, BODY, "", NOW, False),
]
"""Secret, body, signature, the receiver's time, and whether the request is genuine."""


def example(language: str) -> str:
    """Return the example in a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def headers(signature: str) -> dict[str, str]:
    """Return the headers of a request."""
    return {"Webhook-Id": "msg_7", "Webhook-Timestamp": str(NOW), "Webhook-Signature": signature}


def test_the_example_in_python() -> None:
    names: dict[str, Any] = {}
    exec(example("python"), names)  # the page's own code
    is_genuine: Callable[..., bool] = names["is_genuine"]
    for secret, body, signature, now, genuine in CASES:
        assert is_genuine(secret, headers(signature), body, now=now) == genuine


def test_the_example_in_javascript(tmp_path: Path) -> None:
    cases = [
        [secret, {name.lower(): value for name, value in headers(signature).items()}, body.decode(), now]
        for secret, body, signature, now, _ in CASES
    ]
    script = tmp_path / "receiver.mjs"
    run = "(each) => isGenuine(each[0], each[1], Buffer.from(each[2]), each[3])"
    script.write_text(f"{example('js')}\nconsole.log(JSON.stringify({json.dumps(cases)}.map({run})));\n", "utf-8")
    done = subprocess.run([*node(), str(script)], check=True, capture_output=True, text=True, timeout=600)
    assert json.loads(done.stdout) == [genuine for *_, genuine in CASES]
