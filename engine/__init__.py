# SPDX-License-Identifier: GPL-3.0-or-later
"""Games, rules, search, the match state machine and file formats.

Python's garbage collector runs less often in a process that imports this package. Imports and compilation make many
objects that stay, and its default, a collection for each 700 new objects, took a sixth of their time.
"""

import gc

from engine import runtime

if gc.isenabled() and gc.get_threshold()[0]:
    gc.set_threshold(*map(max, gc.get_threshold(), (10_000, 20, 50)))

runtime.use_cache()
