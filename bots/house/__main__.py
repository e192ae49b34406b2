# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.house``: the process of the built-in bots; see ``bots.house.process``."""

import os
import sys

from bots.house.process import main

code = main()
sys.stdout.flush()
sys.stderr.flush()
# threads may still search or compile, and do not outlive the interpreter's end gracefully
os._exit(code)
