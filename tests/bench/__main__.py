# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m tests.bench [NAME...]``."""

import sys

from tests.bench.command import main

sys.exit(main())
