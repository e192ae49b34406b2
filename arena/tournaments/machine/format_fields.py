# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the tournament formats, from their declarations, for the command line and the form of the page."""

from typing import Annotated, Any, Literal, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from arena.tournaments.machine.format import Format
from arena.tournaments.machine.formats import FORMATS

Kind = Literal["integer", "number", "switch", "decision", "choice", "text"]
"""A decision is yes, no, or left to the arena."""

_KINDS: dict[Any, Kind] = {bool: "switch", bool | None: "decision", int: "integer", float: "number", str: "text"}


class FormatOption(Struct, frozen=True, kw_only=True):
    """An option of a format."""

    name: str
    kind: Kind
    description: str
    required: bool
    default: float | bool | str | None
    """None if it is required."""
    choices: tuple[str, ...]
    """The words of a choice."""


class FormatDeclaration(Struct, frozen=True, kw_only=True):
    """A format with its options."""

    name: str
    """Its name in JSON."""
    title: str
    description: str
    """One sentence."""
    least: int
    """Minimum number of players."""
    most: int
    """Maximum number of players."""
    seeded: bool
    """Whether the order of the players matters."""
    options: tuple[FormatOption, ...]


def plain(field: FieldInfo) -> Any:
    """Return the type of a field without its annotation."""
    return get_args(field.type)[0] if get_origin(field.type) is Annotated else field.type


def described(field: FieldInfo) -> str:
    """Return the description of a field, or else its name."""
    metas = (each for each in get_args(field.type)[1:] if isinstance(each, Meta))
    return next((meta.description for meta in metas if meta.description), field.name)


def _enterable(form: type[Format]) -> bool:
    """Return whether options can express a format: every field is a number, a word or a switch."""
    return all(plain(field) in _KINDS or get_origin(plain(field)) is Literal for field in fields(form))


ENTERED = {kind: form for kind, form in FORMATS.items() if _enterable(form)}
"""The formats that options can express, by name."""


def declarations() -> list[FormatDeclaration]:
    """Return the formats that options can express."""
    return [_declared(name, form) for name, form in ENTERED.items()]


def _declared(name: str, form: type[Format]) -> FormatDeclaration:
    return FormatDeclaration(
        name=name,
        title=form.heading or name.replace("-", " ").capitalize(),
        description=(form.__doc__ or "").partition("\n")[0],
        least=form.least,
        most=form.most,
        seeded=form.seeded,
        options=tuple(map(_option, fields(form))),
    )


def _option(field: FieldInfo) -> FormatOption:
    kind = plain(field)
    return FormatOption(
        name=field.name,
        kind=_KINDS.get(kind, "choice"),
        description=described(field),
        required=field.required,
        default=None if field.required else field.default,
        choices=() if kind in _KINDS else get_args(kind),
    )
