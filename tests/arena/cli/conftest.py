# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands on a machine that is busy with other things."""

import pytest

from bots.bridges import process


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let outside engines start slowly."""
    monkeypatch.setattr(process, "START_WITHIN", 600.0)
    monkeypatch.setattr(process, "READY_WITHIN", 600.0)
