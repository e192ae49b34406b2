# SPDX-License-Identifier: GPL-3.0-or-later
"""The languages of the pages: catalogues of translations, and the choice of a language for a request.

The source texts are English and stand in templates, scripts and Python modules. ``translations/CODE.po`` holds the
translations to a language; ``python -m tools.texts`` collects the source texts into it. A text without a translation
appears in English. Names, moves, notation, answers of the API, error messages, logs and commands stay as they are.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from gettext import c2py
from pathlib import Path
from typing import Self

import msgspec
from aiohttp import web
from babel import Locale
from babel.messages.pofile import read_po
from markupsafe import Markup, escape

from web.assets import Assets

SOURCE = "en"
"""The language of the source texts."""

CATALOGUES = Path(__file__).parent / "translations"

COOKIE = "arena-language"
"""The viewer's choice; the page's settings (``static/settings.js``) write it."""

VARY = "Accept-Language, Cookie"
"""The headers that choose the language, for caches."""

DECLARED = "declared"
"""The place of texts that Python modules declare and scripts show, such as titles of games."""

MOST_TAGS = 20
"""Languages of a header ``Accept-Language`` that count."""

_CONTEXT = "\4"
"""Between a context and its text, as catalogues of gettext have it."""

_PLACE = re.compile(r"\{(\d)\}")
_TAG = re.compile(r"\s*([A-Za-z]{1,8})(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")
_SAMPLED = range(1001)
"""Numbers that show which plural category has which translation; every language has all categories of integers here."""


class Language:
    """A language with its translations."""

    def __init__(
        self, code: str, texts: Mapping[str, Sequence[str]], places: Mapping[str, set[str]], order: Sequence[str]
    ) -> None:
        self.code = code
        """The language as the attribute ``lang`` and Intl know it."""
        self.texts = texts
        """Translations by source text: one, or one for each category of ``order``."""
        self.places = places
        """For each file, its source texts."""
        self.order = order
        """The plural categories of CLDR, in the order of the translations."""
        self._locale = Locale.parse(code, sep="-")
        symbols = self._locale.number_symbols["latn"]
        self._scripts: dict[tuple[str, ...], str | None] = {}
        """Addresses of scripts by the version of the static files and the modules."""
        self._signs = str.maketrans({",": symbols["group"], ".": symbols["decimal"]})

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the language of a catalogue ``CODE.po``."""
        with path.open("rb") as file:
            catalogue = read_po(file, locale=path.stem.replace("-", "_"))
        texts, places = dict[str, Sequence[str]](), dict[str, set[str]]()
        for message in catalogue:
            source = message.id if isinstance(message.id, str) else message.id[0]
            source = f"{message.context}{_CONTEXT}{source}" if message.context else source
            made = [message.string] if isinstance(message.string, str) else list(message.string or ())
            if source and made and all(made) and not message.fuzzy:
                texts[source] = made
                for place, _ in message.locations:
                    places.setdefault(place, set()).add(source)
        locale = Locale.parse(path.stem, sep="-")
        form = c2py(catalogue.plural_expr)
        order = {form(number): locale.plural_form(number) for number in _SAMPLED}
        return cls(path.stem, texts, places, [order[index] for index in sorted(order)])

    def translate(self, text: str) -> str:
        """Return the translation of a text; the text itself if there is none."""
        return self.texts[text][0] if text in self.texts else text

    def plural(self, number: int, one: str, many: str) -> str:
        """Return the translation of the text that belongs to a number."""
        category = self._locale.plural_form(number)
        forms = self.texts.get(one, ())
        if len(forms) < 2:
            return one if category == "one" else many
        return forms[self.order.index(category)] if category in self.order else forms[-1]

    def number(self, text: str) -> str:
        """Return a number in English notation, "1,234.5", with the signs of the language."""
        return text.translate(self._signs)

    @cached_property
    def name(self) -> str:
        """The name of the language in the language itself."""
        return self._locale.get_display_name() or self.code

    def script(self, assets: Assets, modules: Sequence[str]) -> str | None:
        """Return the address of the script with the translations of ``modules`` and of their static imports.

        None if they have no texts. For modules that a page may load later, it has the addresses of further scripts.
        """
        if (key := (assets.version, *modules)) not in self._scripts:
            self._scripts[key] = self._script(assets, modules)
        return self._scripts[key]

    def _script(self, assets: Assets, modules: Sequence[str]) -> str | None:
        wanted = assets.reachable(modules)
        used = self._texts_of(wanted) | self.places.get(DECLARED, set())
        if not used:
            return None
        scripts = dict[str, str]()
        waiting = assets.later(wanted) - wanted
        while waiting:
            module = waiting.pop()
            imported = assets.reachable([module])
            more = self._texts_of(imported) - used
            body = f'import {{ speakMore }} from "../../texts.js";\nspeakMore({self._written(more)});\n'
            scripts[module] = self._add(assets, body) if more else ""
            waiting |= assets.later(imported) - wanted - scripts.keys()
        addresses = {module: url.rpartition("/")[2] for module, url in sorted(scripts.items()) if url}
        later = ", ".join(f'"{module}": () => import("./{name}")' for module, name in addresses.items())
        order = msgspec.json.encode(self.order).decode()
        return self._add(
            assets,
            'import { speak } from "../../texts.js";\n'
            'import { translateHtml } from "../../translating.js";\n'
            f"speak({self._written(used)}, {order}, translateHtml, {{ {later} }});\n",
        )

    def _texts_of(self, modules: set[str]) -> set[str]:
        """Return the source texts in modules."""
        return {text for place, found in self.places.items() if _in(place, modules) for text in found}

    def _written(self, sources: set[str]) -> str:
        """Return source texts with their translations as JSON."""
        found = ((source, self.texts[source]) for source in sorted(sources))
        return msgspec.json.encode({source: made[0] if len(made) == 1 else made for source, made in found}).decode()

    def _add(self, assets: Assets, text: str) -> str:
        """Add a script to the static files; return its address."""
        body = text.encode()
        name = f"translations/{self.code}/{hashlib.blake2b(body, digest_size=8).hexdigest()}.js"
        return assets.add(name, body)


def _in(place: str, modules: set[str]) -> bool:
    """Return whether the file at ``place``, a path in the repository, is one of the static files ``modules``."""
    _, static, name = place.partition("/static/")
    return bool(static) and name in modules


ENGLISH = Language(SOURCE, {}, {}, ("one", "other"))

_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)


@cache
def codes() -> Sequence[str]:
    """Return the codes of all languages, English first."""
    return (SOURCE, *sorted(path.stem for path in CATALOGUES.glob("*.po")))


@cache
def language_with(code: str) -> Language:
    """Return the language with a code of ``codes``; its catalogue is read when it is wanted for the first time."""
    return ENGLISH if code == SOURCE else Language.read(CATALOGUES / f"{code}.po")


def language_of(request: web.BaseRequest) -> Language:
    """Return the language of a request: the viewer's choice, else the first known one that the browser asks for, else
    English.
    """
    known = codes()
    if (chosen := request.cookies.get(COOKIE, "")) in known:
        return language_with(chosen)
    wanted = list[tuple[float, str]]()
    for tag in request.headers.get("Accept-Language", "").split(",")[:MOST_TAGS]:
        if found := _TAG.fullmatch(tag):
            wanted.append((float(found[2] or 1), found[1].lower()))
    # the sort keeps the order of equal weights
    for weight, code in sorted(wanted, key=lambda each: -each[0]):
        if weight and code in known:
            return language_with(code)
    return ENGLISH


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Let ``t``, ``plural`` and the formats of ``web.wording`` use this language."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Language:
    """Return the language of the page that is rendered now."""
    return _current.get()


def t(text: str, *values: object) -> str:
    """Mark a text of a template or module, and translate it: ``t("ply {0}", ply)``. A value that is markup stays
    markup.
    """
    return _filled(current().translate(text), values)


def in_context(context: str, text: str) -> str:
    """Translate a text that means something else elsewhere; ``context`` tells translators what it means here."""
    return current().texts.get(f"{context}{_CONTEXT}{text}", (text,))[0]


def plural(number: int, one: str, many: str, *others: object) -> str:
    """Return the text for a number: ``plural(2, "{0} match", "{0} matches")``. "{0}" is the number, "{1}" the first of
    ``others``.
    """
    language = current()
    return _filled(language.plural(number, one, many), (language.number(f"{number:,}"), *others))


class Text(str):
    """A text that is translated when its page is rendered, such as the title of a page. As a string it is English."""

    __slots__ = ("source", "values")
    source: str
    values: tuple[object, ...]

    def __new__(cls, source: str, *values: object) -> Self:
        text = super().__new__(cls, _filled(source, values))
        text.source, text.values = source, values
        return text

    def spoken(self) -> str:
        """Return the text in the current language."""
        return t(self.source, *map(spoken, self.values))


def spoken(text: object) -> object:
    """Return a ``Text`` in the current language, and everything else as it is."""
    return text.spoken() if isinstance(text, Text) else text


def spoken_to(request: web.BaseRequest, text: str) -> str:
    """Return a ``Text`` in the language of a request, and another text as it is: for the data of pages."""
    with speaking(language_of(request)):
        return text.spoken() if isinstance(text, Text) else text


def _filled(text: str, values: Sequence[object]) -> str:
    markup = any(hasattr(value, "__html__") for value in values)
    write: Callable[[object], str] = escape if markup else str
    filled = _PLACE.sub(lambda place: write(values[int(place[1])]), str(escape(text)) if markup else text)
    return Markup(filled) if markup else filled
