# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit statuses of the runner of data bots. Imported without the engine."""

from collections.abc import Mapping

BAD_FILE = 2

ENDINGS: Mapping[int, str] = {BAD_FILE: "its file cannot be read, or is not a data bot"}
"""Exit status → what happened, for people; the error output names the field."""
