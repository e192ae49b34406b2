# SPDX-License-Identifier: GPL-3.0-or-later
"""Every proof holds in a short version; `make prove` runs these versions, and then all in full."""

from pathlib import Path

import pytest

from lab.proofs import catalogue
from lab.proofs.catalogue import PROOFS
from lab.proofs.ledger import Ledger
from tests.postgres import Postgres

SCALE = 0.005


@pytest.mark.long
@pytest.mark.parametrize("name", PROOFS)
async def test_it_holds(name: str, tmp_path: Path, postgres: Postgres) -> None:
    ledger = Ledger(SCALE, tmp_path, postgres)
    await PROOFS[name](ledger)
    assert ledger.figures
    assert catalogue.promise(name)[0] in catalogue.page(name, ledger)


def test_the_index_lists_every_proof() -> None:
    assert catalogue.INDEX.read_text(encoding="utf-8") == catalogue.index(), "run `make prove`"
    written = {path.stem for path in catalogue.FOLDER.glob("*.md")} - {catalogue.INDEX.stem}
    assert written == set(PROOFS)


@pytest.mark.parametrize("name", PROOFS)
def test_its_page_has_its_text(name: str) -> None:
    title, text = catalogue.promise(name)
    assert (catalogue.FOLDER / f"{name}.md").read_text(encoding="utf-8").startswith(f"# {title}\n\n{text}\n")
