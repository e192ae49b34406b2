# SPDX-License-Identifier: GPL-3.0-or-later
"""Bitboards in compiled code: ``bits`` (64 squares), ``lanes`` (eight boards at once) and ``wide`` (more squares)."""
