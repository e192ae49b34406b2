# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations: reports, analyses, records, API, pages, and the breeder as a process."""
