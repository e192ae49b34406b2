# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of the protocol and the sockets, and the attackers that they use."""
