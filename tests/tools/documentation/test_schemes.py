# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in light and dark become two images, of which the site shows one."""

import pytest

from tools.documentation.schemes import both_schemes

PICTURE = """\
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../pictures/a-dark.webp">
  <img src="../pictures/a-light.webp" alt="The page
  of a bot" width="1120" height="720">
</picture>
"""


def test_a_picture_becomes_an_image_for_each_scheme() -> None:
    assert both_schemes(f"Before.\n\n{PICTURE}\nAfter.\n") == (
        "Before.\n\n"
        "![The page of a bot](../pictures/a-light.webp#only-light){ width=1120 height=720 loading=lazy }\n"
        "![The page of a bot](../pictures/a-dark.webp#only-dark){ width=1120 height=720 loading=lazy }\n"
        "\nAfter.\n"
    )


def test_a_picture_of_another_form_is_an_error() -> None:
    with pytest.raises(ValueError, match="another form"):
        both_schemes(PICTURE.replace(' width="1120"', ""))
