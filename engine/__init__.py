# SPDX-License-Identifier: GPL-3.0-or-later
"""Games, rules, search, the match state machine and file formats.

Python's garbage collector runs less often in a process that imports this package. Imports and compilation create many
objects that are never freed; with the default, a collection after 700 new objects, the collector takes a sixth of their
time. All objects are frozen before the process exits: a last collection takes half a second and is useless, because the
system frees the memory.
"""

import atexit
import gc

from engine.native import runtime

if gc.isenabled() and gc.get_threshold()[0]:
    gc.set_threshold(*map(max, gc.get_threshold(), (10_000, 20, 50)))

atexit.register(gc.freeze)

runtime.use_cache()
