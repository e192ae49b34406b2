# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m arena.cli``: the same as the command ``arena``."""

import sys

from arena.cli import main

sys.exit(main())
