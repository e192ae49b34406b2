# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m lab.bench [NAME...]``."""

import sys

from lab.bench.command import main

sys.exit(main())
