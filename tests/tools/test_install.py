# SPDX-License-Identifier: GPL-3.0-or-later
"""What pip is configured with reaches uv."""

from tools.install import pip_options, uv_environment


def test_a_variable_wins_over_the_install_section_and_that_over_the_global_one() -> None:
    listing = ":env:.timeout='3'\nglobal.index-url='one'\nglobal.timeout='1'\ninstall.index-url='two'"
    assert pip_options(listing) == {"timeout": "3", "index-url": "two"}


def test_several_indexes_are_handed_on() -> None:
    options = pip_options(r"global.extra-index-url='file:///first\nfile:///second'")
    assert uv_environment(options, {})["UV_INDEX"] == "file:///first file:///second"


def test_folders_of_wheels_are_separated_as_uv_wants_them() -> None:
    assert uv_environment({"find-links": "one two"}, {})["UV_FIND_LINKS"] == "one,two"


def test_certificates_timeout_and_refusal_of_indexes_are_handed_on() -> None:
    environment = uv_environment({"cert": "ca.pem", "default-timeout": "180", "no-index": "true"}, {})
    assert environment["SSL_CERT_FILE"] == "ca.pem"
    assert environment["UV_HTTP_TIMEOUT"] == "180"
    assert environment["UV_NO_INDEX"] == "1"


def test_settings_of_uv_stay() -> None:
    assert uv_environment({"index-url": "pips"}, {"UV_DEFAULT_INDEX": "own"})["UV_DEFAULT_INDEX"] == "own"


def test_without_configuration_nothing_points_anywhere() -> None:
    assert uv_environment(pip_options(""), {}) == {"UV_INDEX_STRATEGY": "unsafe-best-match"}
