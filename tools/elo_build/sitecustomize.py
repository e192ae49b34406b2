# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets old setuptools run on Python 3.12 and later, where it builds the wheel of `elo`.

The last setuptools that accepts the `use_2to3` of elo's setup.py registers itself for `pkgutil.ImpImporter`,
which Python 3.12 removed. Python imports this module by its name when this folder is on PYTHONPATH.
"""

import pkgutil

if not hasattr(pkgutil, "ImpImporter"):
    setattr(pkgutil, "ImpImporter", type("ImpImporter", (), {}))  # noqa: B010  # to type checkers the name is there
