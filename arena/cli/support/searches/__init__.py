# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches that several commands run, and the output of their results."""
