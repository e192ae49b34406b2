# SPDX-License-Identifier: GPL-3.0-or-later
"""The searches against slow and obvious Python."""
