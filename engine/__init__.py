# SPDX-License-Identifier: GPL-3.0-or-later
"""Games, rules, search, the match state machine and file formats.

Python's garbage collector runs less often in a process that imports this package. Imports and compilation make many
objects that stay, and its default, a collection for each 700 new objects, took a sixth of their time. At the end of the
process it searches none of them: that took half a second, for memory that the system takes back anyway.
"""

import atexit
import gc

from engine.native import runtime

if gc.isenabled() and gc.get_threshold()[0]:
    gc.set_threshold(*map(max, gc.get_threshold(), (10_000, 20, 50)))

atexit.register(gc.freeze)

runtime.use_cache()
