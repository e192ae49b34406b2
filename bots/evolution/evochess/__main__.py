# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.evolution.evochess``: the examiner's process; see ``bots.evolution.evochess.process``."""

import os
import sys

from bots.evolution.evochess.process import main

code = main()
sys.stdout.flush()
sys.stderr.flush()
# a game may still be played, which does not outlive the interpreter's end gracefully
os._exit(code)
