# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes and genome views: records, API, command and pages."""
