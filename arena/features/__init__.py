# SPDX-License-Identifier: GPL-3.0-or-later
"""Features: optional parts of the product, each a package that declares a ``FEATURE``.

``arena.cli.features`` holds the list; only ``arena.cli`` imports from here. ``arena.feature`` defines the declaration.
The arena works without a feature's folder and list entry; the feature's tables stay in the database, because the
migrations are one chain in ``arena.store``.
"""
