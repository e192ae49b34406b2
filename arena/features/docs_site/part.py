# SPDX-License-Identifier: GPL-3.0-or-later
"""The site in a running arena: nothing is read before the first request, and files are read in threads."""

from asyncio import to_thread

from arena.feature import Part
from arena.features.docs_site.site import Document, Site
from web.answer_limits import FairSemaphore
from web.security import POLICY


class DocsPart(Part):
    """Reads the site."""

    def __init__(self, site: Site | None = None) -> None:
        """``site``: by default that of this installation."""
        self._site = site or Site(POLICY)
        self._threads = FairSemaphore(1)

    async def exists(self) -> bool:
        """Return whether there is a site."""
        async with self._threads.taken(patient=True):
            return await to_thread(self._site.folder) is not None

    async def read(self, path: str) -> Document | None:
        """Return the file with a path below the site; None if there is none."""
        async with self._threads.taken(patient=True):
            return await to_thread(self._site.read, path)

    async def is_folder(self, path: str) -> bool:
        """Return whether a path lacks only the slash at its end."""
        async with self._threads.taken(patient=True):
            return await to_thread(self._site.is_folder, path)
