# SPDX-License-Identifier: GPL-3.0-or-later
"""The composition root: one lazily imported module per command."""

import argparse


def main() -> None:
    """Run the command named on the command line."""
    argparse.ArgumentParser(prog="arena", description=__doc__).parse_args()
