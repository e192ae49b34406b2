# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots as hosted processes: their process, readiness, compilation, and processor time."""
