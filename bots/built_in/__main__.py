# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.built_in``: the process of the built-in bots; see ``bots.built_in.process``."""

import os
import sys

from bots.built_in.process import main

code = main()
sys.stdout.flush()
sys.stderr.flush()
# threads may still search or compile, and do not outlive the interpreter's end gracefully
os._exit(code)
