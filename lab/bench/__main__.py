# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m lab.bench [NAME...]``."""

import sys

from lab.bench.catalogue import main

sys.exit(main())
