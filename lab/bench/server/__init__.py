# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks of the server, its pages and its processes."""
