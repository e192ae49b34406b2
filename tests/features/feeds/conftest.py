# SPDX-License-Identifier: GPL-3.0-or-later
"""The databases of the tests, and passwords that are hashed quickly."""

from tests.databases import database_url, store
from tests.features.accounts.conftest import quick_hashes

__all__ = ["database_url", "quick_hashes", "store"]
