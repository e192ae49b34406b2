# SPDX-License-Identifier: MIT
"""The wire without I/O: messages, codec, session, version."""
