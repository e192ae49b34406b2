# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the built site, and the Content-Security-Policy of each page.

The generator writes small scripts into its pages. The policy of a page has the hash of each of them, and allows no
other one.
"""

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

PACKED = Path(__file__).with_name("packed")
"""The site in an installed arena."""

BUILT = Path(__file__).parents[3] / "build" / "docs"
"""The site in a checkout, after ``make docs``."""

INDEX = "index.html"

ADDED = "added.css"
"""The file with the style sheet that the theme's script adds to pages, for the dialog of the search."""

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
"""Media types by suffix. Others, such as those of the examples, are shown as texts."""

_TEXT = "text/plain"

_INLINE = re.compile(rb"<(script|style)\b([^>]*)>(.*?)</\1>", re.DOTALL)
_LOADED = re.compile(rb"""\bsrc=|\btype=["']?application/json""")
"""A script element that is a file, or data."""

_HASHED = re.compile(r"\.[0-9a-f]{8}\.min\.(?:css|js)$")
"""The end of the name of a file that never changes."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the site."""

    body: bytes
    media_type: str
    etag: str
    policy: str
    """For a page, its Content-Security-Policy; "" for other files."""
    lasting: bool
    """Whether the file under this name never changes."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a file was when it was read before."""

    state: tuple[int, int]
    """Time of its change, and size."""
    etag: str
    policy: str


class Site:
    """The built site. Its methods read files, so they run in threads."""

    def __init__(self, policy: str, *folders: Path) -> None:
        """``policy``: that of the arena's own pages. ``folders``: the first that holds a site has the pages."""
        self._policy = policy
        self._folders = folders or (PACKED, BUILT)
        self._seen: dict[Path, _Seen] = {}

    def folder(self) -> Path | None:
        """Return the folder of the site; None if there is none. A checkout may build one at any time."""
        return next((folder for folder in self._folders if (folder / INDEX).is_file()), None)

    def is_folder(self, path: str) -> bool:
        """Return whether a path without a slash at its end is that of a page."""
        found = self._file(f"{path}/{INDEX}")
        return found is not None

    def read(self, path: str) -> Document | None:
        """Return the file with a path below the site, or the page of a folder; None if the site has none."""
        name = f"{path}{INDEX}" if not path or path.endswith("/") else path
        file = self._file(name)
        if file is None:
            return None
        stat, body = file.stat(), file.read_bytes()
        media_type = _TYPES.get(file.suffix, _TEXT)
        seen = self._seen.get(file)
        if seen is None or seen.state != (stat.st_mtime_ns, stat.st_size):
            etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
            policy = with_hashes(self._policy, body, self._added()) if media_type == "text/html" else ""
            seen = self._seen[file] = _Seen((stat.st_mtime_ns, stat.st_size), etag, policy)
        return Document(body, media_type, seen.etag, seen.policy, _HASHED.search(file.name) is not None)

    def _added(self) -> bytes:
        file = self._file(ADDED)
        return b"" if file is None else file.read_bytes()

    def _file(self, name: str) -> Path | None:
        """Return the file of the site with a path; None for any other path, such as one that leads out of the site."""
        folder = self.folder()
        if folder is None:
            return None
        root = folder.resolve()
        try:
            file = (root / name).resolve()
            return file if file.is_relative_to(root) and file.is_file() else None
        except (OSError, ValueError):  # a name that is too long, or has a zero byte
            return None


def with_hashes(policy: str, page: bytes, added: bytes = b"") -> str:
    """Return a policy that also allows the scripts and style sheets inside a page, and the style sheet ``added``."""
    found = [(tag.decode(), text) for tag, attributes, text in _INLINE.findall(page) if not _LOADED.search(attributes)]
    for tag in ("script", "style"):
        own = f"{tag}-src 'self'"
        assert own in policy, policy
        texts = [text for kind, text in [*found, ("style", added)] if kind == tag and text]
        policy = policy.replace(own, " ".join((own, *dict.fromkeys(map(_source, texts)))))
    return policy


def _source(text: bytes) -> str:
    """Return the source expression that allows a script or a style sheet inside a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"
