# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the SDK: pages whose text mkdocstrings takes from the docstrings."""

from collections.abc import Mapping
from importlib import import_module

FOLDER = "reference/sdk"

MODULES = {
    "bot": ("Bots", "bots.bot", "the base class of bots, and what its methods get and return"),
    "client": ("Client", "bots.client", "connect a bot to an arena"),
    "thinking": ("Search info", "bots.thinking", "show the state of a search while the clock runs"),
    "rest": ("REST client", "bots.client.rest", "send requests to the REST API"),
    "testing": ("Contract test", "bots.testing", "test a bot against a miniature arena"),
}
"""The title, the module and the purpose of each page."""

FIRST = {
    "bots.bot": ("Bot", "Reply", "Resign", "Answer", "Match", "Turn", "Over"),
    "bots.client": ("run", "play", "Client"),
    "bots.thinking": ("think",),
    "bots.client.rest": ("RestClient",),
    "bots.testing": ("check_bot", "check_program"),
}
"""The names of a module with which its page begins; the others follow."""

_INTRODUCTION = """\
# The SDK

[Writing a bot](../../how-to/bots.md) shows how to use the SDK. These pages list its classes and functions.
"""


def pages() -> Mapping[str, str]:
    """Return the pages by their paths."""
    links = [f"- [{title}]({name}.md): {purpose}" for name, (title, _, purpose) in MODULES.items()]
    found = {f"{FOLDER}/README.md": "\n".join([_INTRODUCTION, *links, ""])}
    for name, (title, module, _) in MODULES.items():
        members = "".join(f"        - {each}\n" for each in names(module))
        found[f"{FOLDER}/{name}.md"] = f"# {title}\n\n::: {module}\n    options:\n      members:\n{members}"
    return found


def names(module: str) -> list[str]:
    """Return the public names of a module, in the order of its page."""
    found = import_module(module)
    public = getattr(found, "__all__", None) or [
        name
        for name, value in vars(found).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module
    ]
    return list(dict.fromkeys((*FIRST[module], *public)))
