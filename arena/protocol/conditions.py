# SPDX-License-Identifier: MIT
"""The conditions of a match by instructions: what its moves depend on, beside the rules and the opening.

The arena stores them with the match as JSON, and records of matches have them as tags.
"""

from collections.abc import Mapping

from msgspec import Struct, json

from arena.protocol.messages import Module

MATCH = "Match"
_WASMTIME, _MACHINE = "Wasmtime", "Machine"
_MODULES = "Module0", "Module1"

TAGS = {
    MATCH: "number of the match on its server; the seed of the record is that of the match's dice",
    _WASMTIME: "version of wasmtime that ran both modules",
    _MACHINE: "version of the arena's WebAssembly interface",
    _MODULES[0]: "SHA-256 of the module of seat 0",
    _MODULES[1]: "SHA-256 of the module of seat 1",
}
"""The tags of records of a server's matches by instructions, with their meanings."""


class Conditions(Struct, frozen=True):
    """The modules of both seats, by SHA-256, and the versions of the software that ran them."""

    modules: tuple[str, str]
    """SHA-256 of the module of seat 0, then of seat 1, in hexadecimal digits."""
    wasmtime: str
    """Version of wasmtime that ran both modules."""
    machine: int
    """Version of the arena's WebAssembly interface; see docs/how-to/wasm.md."""

    @classmethod
    def of(cls, one: Module, other: Module) -> "Conditions":
        """Return the conditions of a match of two modules, which the same software runs."""
        return cls((one.digest, other.digest), one.wasmtime, one.machine)

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> "Conditions":
        """Read the conditions from the tags of a record. Raises ValueError if they are not there."""
        try:
            one, other = (tags[name] for name in _MODULES)
            return cls((one, other), tags[_WASMTIME], int(tags[_MACHINE]))
        except KeyError as error:
            raise ValueError(f"the record has no tag {error.args[0]}") from None

    @classmethod
    def read(cls, text: str | None) -> "Conditions | None":
        """Read the stored form. Raises ValueError if it cannot be read."""
        return None if text is None else json.decode(text, type=cls)

    def written(self) -> str:
        """Return the stored form."""
        return json.encode(self).decode()

    def tags(self) -> dict[str, str]:
        """Return the tags of a record."""
        return {_WASMTIME: self.wasmtime, _MACHINE: str(self.machine), **dict(zip(_MODULES, self.modules, strict=True))}

    @property
    def swapped(self) -> "Conditions":
        """The conditions of the same match with swapped seats."""
        return Conditions((self.modules[1], self.modules[0]), self.wasmtime, self.machine)

    def module(self, seat: int) -> Module:
        """Return the module of a seat."""
        return Module(self.modules[seat], self.wasmtime, self.machine)
