# SPDX-License-Identifier: MIT
"""The protocol without I/O: messages, codec, session, version."""
