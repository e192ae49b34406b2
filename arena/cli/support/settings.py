# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of the settings from options and environment variables, and the reference of all settings."""

import argparse
import os
from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any

from arena.feature import Features
from arena.settings import Settings, declared


def kinds(features: Features) -> "list[type[Any]]":
    """Return the classes of all settings: the arena's own, and those of features."""
    return [Settings, *(kind for feature in features if (kind := feature.settings()) is not None)]


def add_settings(parser: argparse.ArgumentParser, features: Features = ()) -> None:
    """Add an option for every setting to a command."""
    group = parser.add_argument_group(
        "settings",
        "each setting also has an environment variable: ARENA_GAMES for --games, and so on; durations are in seconds",
    )
    for kind in kinds(features):
        for each in declared(kind):
            default, meaning = each.default, each.metadata["meaning"].replace("%", "%%")
            shown = str(default).lower() if isinstance(default, bool) else default
            text = f"{meaning} Default: {'empty' if shown == '' else shown}."
            group.add_argument(f"--{each.name.replace('_', '-')}", metavar="VALUE", help=text)


def chosen(arguments: argparse.Namespace, features: Features = (), environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that a command was given: its options, else the environment's, else the defaults.

    Raises ValueError.
    """
    own, *others = (_chosen(kind, arguments, environ) for kind in kinds(features))
    more = tuple(kind(**values) for kind, values in zip(kinds(features)[1:], others, strict=True))
    return Settings(**own, features=more)


def _chosen(kind: type[Any], arguments: argparse.Namespace, environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for each in declared(kind):
        text = getattr(arguments, each.name, None)
        if text is None:
            text = environ.get(f"ARENA_{each.name.upper()}")
        if text is not None:
            values[each.name] = _read(each.name, text, each.default)
    return values


def in_force(settings: Settings, features: Features) -> dict[str, Any]:
    """Return all settings by name."""
    every = (settings if kind is Settings else settings.of(kind) for kind in kinds(features))
    return {each.name: getattr(one, each.name) for one in every for each in declared(type(one))}


def _read(name: str, text: str, default: object) -> bool | int | float | str:
    if default is MISSING:
        raise TypeError(f"{name} has no default")
    if isinstance(default, bool):
        if text.lower() not in _TRUTH:
            raise ValueError(f"{name} must be yes or no (got {text!r})")
        return _TRUTH[text.lower()]
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            raise ValueError(f"{name} must be a number (got {text!r})") from None
    return text


_TRUTH = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def markdown(features: Features) -> str:
    """Return the reference of all settings, as Markdown."""
    lines = [_INTRODUCTION, "| option and variable | default | meaning |", "|---|---|---|"]
    for each in (each for kind in kinds(features) for each in declared(kind)):
        default = str(each.default).lower() if isinstance(each.default, bool) else str(each.default)
        option, variable = each.name.replace("_", "-"), each.name.upper()
        meaning = each.metadata["meaning"]
        lines.append(f"| `--{option}` `ARENA_{variable}` | {f'`{default}`' if default else ''} | {meaning} |")
    return "\n".join([*lines, ""])


_INTRODUCTION = """\
# Settings

`arena settings --docs` generates this page from the class `Settings` and the settings of the features. `arena settings`
prints the current values.

Every setting has a default, an environment variable and an option of `arena serve`. The option overrides the variable.
Durations are in seconds.
"""
