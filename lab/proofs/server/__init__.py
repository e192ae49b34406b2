# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of a server that is killed, loaded, or in trouble with its machine."""
