# SPDX-License-Identifier: GPL-3.0-or-later
"""Native code: how functions are compiled, stored and run.

- ``parts`` compiles each function once and links it into its callers; ``cached_code`` stores compiled code on disk, in
  the directory of ``runtime``; ``compile_times`` estimates how long compilation takes.
- ``buffers`` (arrays without reference counts) and ``atomics`` are for the compiled functions themselves.
- ``child`` starts child processes that end with their parent, also while they run native code.

It imports nothing else of the engine and does not depend on games. ``engine.kernel`` has the decorators that other
packages use.
"""
