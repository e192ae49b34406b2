# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/how-to/deployment.md shows the files and the commands that these tests run."""

import re
import shlex

import pytest

from arena.cli import parser
from arena.cli.support.command_line import first_word
from tests.deployment.front import DEPLOY

PAGE = (DEPLOY.parent / "how-to" / "deployment.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines() if re.match(r"(\S*/)?arena ", line)
]


def test_the_configuration_of_nginx_is_the_one_that_is_tested() -> None:
    assert [text for kind, text in BLOCKS if kind == "nginx"] == [(DEPLOY / "nginx.conf").read_text(encoding="utf-8")]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_have_the_options_that_they_use(command: str) -> None:
    _, *words = shlex.split(command)
    assert parser(first_word(words)).parse_args(words).command == words[0]


def test_files_that_the_page_names_exist() -> None:
    named = set(re.findall(r"\(\.\./deploy/([\w.]+)\)", PAGE)) | set(re.findall(r"docs/deploy/([\w.]+)", PAGE))
    assert named == {path.name for path in DEPLOY.iterdir()}
