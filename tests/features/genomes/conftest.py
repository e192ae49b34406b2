# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixtures of the web server's tests and of the browser's."""

from tests.web.conftest import door

__all__ = ["door"]
