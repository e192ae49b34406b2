# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK, over real sockets."""
