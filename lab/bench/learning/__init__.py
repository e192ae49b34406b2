# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks of what learns or is fitted."""
