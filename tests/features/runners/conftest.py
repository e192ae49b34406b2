# SPDX-License-Identifier: GPL-3.0-or-later
"""The databases of the tests."""

from tests.databases import database_url, store

__all__ = ["database_url", "store"]
