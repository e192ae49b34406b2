# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of ``docs/deploy``, run as the documentation tells people to."""
