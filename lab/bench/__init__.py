# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks of this project beside other projects in the same run: ``python -m lab.bench [NAME...]``, or ``make
bench``.
"""
