# SPDX-License-Identifier: GPL-3.0-or-later
"""Static files: read and compressed once, and served at addresses with a content hash.

The address of a file contains a hash of the whole folder, so browsers may cache a file for ever. Modules import each
other by relative paths, so a module from ``/static/HASH/`` loads the others from there. For an address with an old
hash, the server sends its current file, without caching.
"""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aiohttp import web

from web.api.endpoint import Endpoint
from web.compression import GZIP, takes_gzip
from web.delivery import unchanged
from web.errors import NotFound

PREFIX = "/static"

FOR_EVER = "public, max-age=31536000, immutable"

LEVEL = 9
"""Compression level: the smallest, because each file is compressed once."""

_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain"}
"""Media types by suffix; the tables of operating systems differ."""

_IMPORT = re.compile(r"""\b(?:from|import)\s*["'](\.[^"'\n]+)["']""")
"""A relative import of a module; also in minified modules."""

_LATER = re.compile(r"""\bimport\(["'](\.[^"'\n]+)["']\)""")
"""An import when a part of the page needs it."""


_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/[ \t]*|//(?! SPDX)[^\n]*)$", re.MULTILINE | re.DOTALL)
"""A comment of whole lines in a script, its types included; the line that names the licence is none."""

_TYPE = re.compile(r"/\*\* @type \{[^\n]*?\} \*/ ?")
"""The type of an expression, for the checker."""

_MARGIN = re.compile(r"^((?:export )?const \w+ = `[^`]*`)|^[ \t]+|[ \t]+// [^\n`\"']*$", re.MULTILINE)
"""White space at the beginning of a line, a comment behind code, or a text of several lines, which keeps both."""

_LIBRARIES = "vendor"
"""The name of the folder of libraries."""

_DECLARATIONS = ".d.ts"
"""The end of the names of files for the type checker, which are not served."""


def check_libraries(folder: Path) -> None:
    """Raise ValueError if a folder of static files has no browser libraries."""
    if not (folder / _LIBRARIES).is_dir():
        raise ValueError(f"the browser libraries are missing in {folder / _LIBRARIES}; run `make setup`")


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file."""

    body: bytes
    packed: bytes | None
    """The file compressed by gzip, if that is smaller."""
    etag: str
    media_type: str


class Assets:
    """The files of folders, in memory, as if all were in one."""

    def __init__(self, *folders: Path) -> None:
        bodies: dict[str, bytes] = {}
        for folder in folders:
            files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(_DECLARATIONS))
            for path in sorted(files):
                name = path.relative_to(folder).as_posix()
                if name in bodies:
                    raise ValueError(f"{path} stands in the way of a file of the same name")
                bodies[name] = _sent(path)
        self.version = _version(bodies)
        """The hash of all names and contents."""
        self._files = {name: _asset(name, body) for name, body in bodies.items()}
        self._imports = {name: _imported(name, bodies) for name in bodies if name.endswith(".js")}
        self._later = {name: _imported(name, bodies, _LATER) for name in self._imports}

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises KeyError."""
        return self._files[name].body

    def url(self, name: str) -> str:
        """Return the address of a file. Raises KeyError."""
        if name not in self._files:
            raise KeyError(name)
        return f"{PREFIX}/{self.version}/{name}"

    def joined(self, names: Sequence[str]) -> str:
        """Return the address of one file that holds style sheets in this order, so that a page needs one request for
        all. Raises KeyError.
        """
        digest = hashlib.blake2b("\0".join(names).encode(), digest_size=8).hexdigest()
        name = f"joined/{digest}.css"
        return self.add(name, b"\n".join(map(self.read, names)))

    def add(self, name: str, body: bytes) -> str:
        """Add a file that the server makes, unless it is there; return its address. The name depends on the content."""
        if name not in self._files:
            self._files[name] = _asset(name, body)
        return self.url(name)

    def reachable(self, names: Sequence[str]) -> set[str]:
        """Return the names of modules and of all that they import at once."""
        found = set(names)
        waiting = list(names)
        while waiting:
            new = set(self._imports.get(waiting.pop(), ())) - found
            found |= new
            waiting += new
        return found

    def later(self, names: Collection[str]) -> set[str]:
        """Return the names of the modules that modules import when a part of the page needs them."""
        return {target for name in names for target in self._later.get(name, ())}

    def modules(self, name: str) -> list[str]:
        """Return the addresses of a module and of all its imports, for preloading."""
        found = {name: None}
        for each in (waiting := [name]):
            for target in self._imports[each]:
                if target not in found:
                    found[target] = None
                    waiting.append(target)
        return [self.url(each) for each in found]

    async def serve(self, request: web.Request) -> web.Response:
        """Answer with the file at ``path``. Raises NotFound."""
        name = request.match_info["path"]
        file = self._files.get(name)
        if file is None:
            raise NotFound(f"there is no file {name[:100]!r}")
        kept = request.match_info["version"] == self.version
        headers = {"ETag": file.etag, "Cache-Control": FOR_EVER if kept else "no-cache"}
        if file.packed is not None:
            headers["Vary"] = "Accept-Encoding"
        if unchanged(request, file.etag):
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = file.media_type
        if file.packed is not None and takes_gzip(request):
            return web.Response(body=file.packed, headers=headers | {"Content-Encoding": GZIP})
        return web.Response(body=file.body, headers=headers)


ASSETS = web.AppKey("assets", Assets)


async def serve(request: web.Request) -> web.Response:
    """Answer with a static file."""
    return await request.app[ASSETS].serve(request)


ENDPOINT = Endpoint("GET", PREFIX + "/{version:[0-9a-f]{16}}/{path:.+}", serve)


read_assets = cache(Assets)
"""Return the files of folders; they are read once in a process."""


def _sent(path: Path) -> bytes:
    """Return the bytes to send for a file: a script without indentation, types and comments, each line with its number.

    Libraries keep their comments, which hold their licences.
    """
    body = path.read_bytes()
    if path.suffix != ".js" or path.parent.name == _LIBRARIES:
        return body
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), body.decode())
    return _MARGIN.sub(r"\1", _TYPE.sub("", text)).encode()


def _asset(name: str, body: bytes) -> Asset:
    suffix = posixpath.splitext(name)[1]
    media_type = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, LEVEL, mtime=0)
    etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    if suffix in _TYPES:
        media_type += "; charset=utf-8"
    return Asset(body, packed if len(packed) < len(body) else None, etag, media_type)


def _version(bodies: Mapping[str, bytes]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for name, body in bodies.items():
        digest.update(f"{name}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()


def _imported(name: str, bodies: Mapping[str, bytes], pattern: re.Pattern[str] = _IMPORT) -> list[str]:
    """Return the names of the modules that a module imports, each once."""
    text = bodies[name].decode()
    paths = (posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for target in pattern.findall(text))
    return [path for path in dict.fromkeys(paths) if path in bodies]
