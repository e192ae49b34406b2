# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of the search explorer."""
