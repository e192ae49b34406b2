# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame of play: alpha-beta that looks at little of the tree, and deep where it matters"""
