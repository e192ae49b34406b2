# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of nodes, leases and the leader in PostgreSQL."""
