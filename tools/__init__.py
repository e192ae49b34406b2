# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Makefile calls to fill the environment and to build; no part of the product."""
