# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.evolution``: the breeder's process; see ``bots.evolution.process``."""

import os
import sys

from bots.evolution.process import main

code = main()
sys.stdout.flush()
sys.stderr.flush()
# threads may still play or compile, and do not outlive the interpreter's end gracefully
os._exit(code)
