# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of uploads that programs of this process may read: the server removes them only when none does."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from arena.protocol.hosting import FilesFree, HostingReport


class FilesInUse:
    """Reports each upload that the server wants to remove, once nothing here uses its files."""

    def __init__(self, tell: Callable[[HostingReport], None]) -> None:
        self._tell = tell
        self._users: Counter[int] = Counter()
        """By upload: its connections and validations."""
        self._leaving: set[int] = set()
        """Uploads for which the server requested a report."""

    def update(self, leaving: Sequence[int]) -> None:
        """Replace the set of uploads for which the server requests a report once nothing uses their files."""
        self._leaving = set(leaving)
        for upload in self._leaving - self._users.keys():
            self._tell(FilesFree(upload))

    @contextlib.contextmanager
    def used(self, upload: int) -> Iterator[None]:
        """Keep the files of an upload; report afterwards if the server waits for them."""
        self._users[upload] += 1
        try:
            yield
        finally:
            self._users[upload] -= 1
            if not self._users[upload]:
                del self._users[upload]
                if upload in self._leaving:
                    self._tell(FilesFree(upload))
