# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests; the folders mirror those of the product."""
