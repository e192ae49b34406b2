# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the searches against slow reference implementations in Python."""
