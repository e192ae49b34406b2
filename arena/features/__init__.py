# SPDX-License-Identifier: GPL-3.0-or-later
"""Features: parts of the product that the arena works without, each a package that declares a ``FEATURE``.

``arena.cli.features`` holds the list; only ``arena.cli`` imports from here. ``arena.feature`` says what a declaration
holds. Without a feature's folder and its line in the list the arena works as before, less the feature; its tables stay
in the database, for the migrations are one chain in ``arena.store``.
"""
