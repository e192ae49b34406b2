# SPDX-License-Identifier: GPL-3.0-or-later
"""The laboratory: experiments, tuning, load generation, benchmarks and stress reports.

``arena lab NAME`` runs a command of ``lab.commands``. ``lab.bench`` (``make bench``) and ``lab.proofs``
(``make prove``) need a checkout and are not in the wheel.
"""
