# SPDX-License-Identifier: GPL-3.0-or-later
"""What the features of this arena declare, for tests of all routes and all pages."""

from arena.cli.features import FEATURES

EDGES = [feature.web() for feature in FEATURES if feature.web is not None]

ORDERS = [order for edge in EDGES for order in edge.orders]
PAGES = [path for edge in EDGES for path in edge.pages if "{" not in path]
"""Paths of pages that take no number."""
STATIC = [edge.static for edge in EDGES if edge.static is not None]
