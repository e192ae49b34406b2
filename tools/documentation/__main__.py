# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation site: ``python -m tools.documentation``."""

import sys

from tools.documentation.building import SITE, NotBuilt, build
from tools.documentation.staging import BrokenLink


def main() -> int:
    """Build the site, or say why not."""
    try:
        build()
    except (BrokenLink, NotBuilt, ValueError) as error:
        print(f"The documentation cannot be built.\n{error}", file=sys.stderr)
        return 1
    print(f"The site is in {SITE.relative_to(SITE.parents[1])}; `arena serve` shows it at /docs.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
