# SPDX-License-Identifier: GPL-3.0-or-later
"""Selective search: alpha-beta that prunes and reduces for playing strength; its values can differ from minimax's."""
