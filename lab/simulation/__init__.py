# SPDX-License-Identifier: GPL-3.0-or-later
"""A discrete-event model of a cluster, fed with costs that are measured on real clusters.

``python -m lab.simulation measure`` measures, ``python -m lab.simulation report`` simulates and writes the page
docs/reports/cluster-size.md.
"""
