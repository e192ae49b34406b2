# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/how-to/cluster.md and the files that it names: commands parse, and the bus starts with its configuration."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.cli import parser
from arena.cli.support.command_line import first_word
from arena.features.cluster.bus.address import BusAddress
from arena.features.cluster.bus.nats import Bus, BusError
from arena.features.cluster.settings import ClusterSettings
from tests.features.cluster.certificates import certificate
from tests.nats import running

DOCS = Path(__file__).parents[3] / "docs"
FILES = DOCS / "deploy/cluster"
PAGE = (DOCS / "how-to/cluster.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [line.rstrip("& ") for text in BLOCKS for line in text.splitlines() if line.startswith("arena ")]
SERVICES = re.findall(r"^    command: (\[.+arena\", .+\])$", (FILES / "compose.yaml").read_text("utf-8"), re.MULTILINE)


def test_a_cluster_starts_by_five_commands() -> None:
    assert len(BLOCKS[0].splitlines()) == 5
    assert len(SERVICES) == 3
    assert [line.split()[0] for line in BLOCKS[0].splitlines()] == ["nats-server", "export", *["arena"] * 3]


@pytest.mark.parametrize(
    "words",
    [
        *(shlex.split(command)[1:] for command in COMMANDS),
        *(json.loads(command)[1:] for command in SERVICES),
        re.findall(r"^ExecStart=\S+arena (.+)$", (FILES / "node.conf").read_text("utf-8"), re.MULTILINE)[0].split(),
    ],
    ids=" ".join,
)
def test_commands_have_the_options_that_they_use(words: list[str]) -> None:
    arguments = parser(first_word(words)).parse_args(words)
    assert arguments.command == words[0]
    if words[0] == "serve":
        ClusterSettings(bus="nats://127.0.0.1", node=arguments.node or "")


def test_files_that_the_page_names_exist() -> None:
    assert {*re.findall(r"\(\.\./deploy/cluster/([\w.]+)\)", PAGE)} == {path.name for path in FILES.iterdir()}


async def test_the_bus_starts_with_its_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = certificate(tmp_path)
    text = (FILES / "nats.conf").read_text("utf-8")
    for path, own in (("/etc/arena/bus.crt", made.file), ("/etc/arena/bus.key", made.key)):
        assert path in text
        text = text.replace(path, str(own))
    (tmp_path / "nats.conf").write_text(text.replace('listen: "0.0.0.0:4222"', ""))
    monkeypatch.setenv("BUS_PASSWORD", "secret")
    with running("-c", str(tmp_path / "nats.conf")) as server:
        bus = Bus(BusAddress.parse(f"tls://arena:secret@localhost:{server.port}", str(made.authority)), "a")
        await bus.open()
        await bus.close()
        stranger = Bus(BusAddress.parse(f"tls://arena:wrong@localhost:{server.port}", str(made.authority)), "a")
        with pytest.raises(BusError, match="refuses these credentials"):
            await stranger.open()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_of_the_bus_is_valid(tmp_path: Path) -> None:
    unit = tmp_path / "nats.service"
    unit.write_text((FILES / "nats.service").read_text("utf-8").replace("/opt/arena/bin/nats-server", "/bin/true"))
    run = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "nats.service" not in run.stderr
