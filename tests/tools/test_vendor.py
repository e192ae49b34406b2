# SPDX-License-Identifier: GPL-3.0-or-later
"""The browser libraries load as they are, without a build and without an import map."""

import re

import pytest

from tools.vendor import FILES, VENDOR, browser_module, module_of


def test_imports_by_name_become_relative() -> None:
    module = 'import{h as n}from"preact";export{h}from\'preact\';import t from"htm";'
    expected = 'import{h as n}from "./preact.js";export{h}from "./preact.js";import t from "./htm.js";'
    assert browser_module(module) == expected


def test_an_import_of_a_library_that_is_not_copied_is_refused() -> None:
    with pytest.raises(KeyError, match="lodash"):
        browser_module('import"lodash";')


def test_a_script_with_a_global_name_becomes_a_module() -> None:
    script = "/*! a licence */\nvar drawing=function(){return 1}();"
    assert module_of("drawing", script) == f"{script}\nexport default drawing;\n"
    with pytest.raises(ValueError, match="painting"):
        module_of("painting", script)


def test_words_in_comments_stay() -> None:
    comment = "// if it's away from 'the edge'\n"
    assert browser_module(comment + "//# sourceMappingURL=a.map\n") == comment


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_every_import_of_an_installed_library_names_a_file_beside_it(name: str) -> None:
    text = (VENDOR / name).read_text(encoding="utf-8")
    for specifier in re.findall(r"""^(?:import|export)\b[^;]*?\bfrom\s*["']([^"']+)["']""", text, re.MULTILINE):
        assert specifier.startswith("./")
        assert (VENDOR / specifier).is_file()


def test_the_licences_come_with_the_libraries() -> None:
    text = (VENDOR / "licences.txt").read_text(encoding="utf-8")
    assert re.findall(r"^(\w+) [\d.]+ \((.+)\)$", text, re.MULTILINE) == [
        ("htm", "Apache-2.0"),
        ("preact", "MIT"),
        ("uplot", "MIT"),
    ]
