# SPDX-License-Identifier: MIT
"""Players, and whatever makes players."""
