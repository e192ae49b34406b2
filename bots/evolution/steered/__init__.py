# SPDX-License-Identifier: GPL-3.0-or-later
"""Players whose search is steered by a program: an alpha-beta frame, what an individual decides in it, and rivals."""
