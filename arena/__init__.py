# SPDX-License-Identifier: MIT
"""The referee and its memory."""
