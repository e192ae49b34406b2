# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of pages for the README and the tutorials, in light and dark, from a real arena."""
