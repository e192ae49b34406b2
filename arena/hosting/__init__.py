# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosting of built-in bots: supervision of their processes, readiness, compilation, processor time."""
