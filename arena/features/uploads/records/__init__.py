# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of uploaded versions, and of their files."""
