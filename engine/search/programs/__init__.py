# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that set the depth of each branch: typed expressions, run as byte code by the selective search."""
