# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation site from docs/ and from the code: ``python -m tools.documentation``.

The steps: ``staging`` collects the pages in a folder of their own, with those that ``commands``, ``requests`` and
``sdk`` write; ``building`` runs Zensical there; ``checking`` reads the result, and fails for broken links and for what
the arena's Content-Security-Policy does not allow.
"""
