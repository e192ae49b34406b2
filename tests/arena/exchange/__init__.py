# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange of genomes between demes, by hand."""
