# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a bot in Python: ``python -P run_file.py FILE …`` or ``python -P run_file.py MODULE:CLASS``.

A file runs as the main module. If it ends without having played, and defines one class that inherits from ``bots.Bot``,
this class plays. MODULE is searched for in the working directory, and CLASS plays.

A program of its own, which every start of a bot waits for: it imports no more than it needs.
"""

import os
import sys

NO_BOT, SEVERAL_BOTS = 91, 92
"""Exit statuses."""
KERNELS = "kernels"
"""Where the libraries of a sandbox have compiled code."""
KERNELS_IN, KERNELS_NAME = "BOT_ARENA_KERNELS", "BOT_ARENA_KERNELS_NAME"
"""Environment variables: the directory of compiled code, and the name of the cache directory that it belongs to."""
ENDINGS: dict[int, str] = {
    NO_BOT: "it ended without playing; its file must define a class that inherits from bots.Bot",
    SEVERAL_BOTS: "its file defines several classes of bots and plays with none; end it with bots.run(…) of one of "
    'them, or upload a zip with a manifest that names one: "entry": "MODULE:CLASS"',
}
"""The meanings of exit statuses, for people."""


def main() -> None:
    """Run what the command line names; ends the process if there is no bot."""
    entry = sys.argv[1]
    del sys.argv[0]
    _add_builtins()
    _link_kernels()
    if ":" in entry and not os.path.exists(entry):  # noqa: PTH110  # pathlib costs milliseconds at each start
        sys.path.insert(0, os.getcwd())  # noqa: PTH109  # likewise
        _play(_named(*entry.split(":", 1)))
        return
    # as Python does for the file that it runs
    sys.path.insert(0, os.path.dirname(entry))  # noqa: PTH120  # likewise
    found = _bots_of(_run_as_main(entry))
    if _has_played():
        return
    if len(found) == 1:
        _play(found[0])
        return
    if found:
        names = ", ".join(sorted(each.__name__ for each in found))
        sys.stderr.write(f"the file defines several classes of bots: {names}\n")
    sys.exit(SEVERAL_BOTS if found else NO_BOT)


def _add_builtins() -> None:
    """Add ``exit``, ``quit`` and ``help``, which an interpreter without site-packages (``-S``) lacks."""
    if sys.flags.no_site:
        import site

        site.setquit()
        site.sethelper()


def _link_kernels() -> None:
    """Make a private cache directory of compiled code that begins with links to the shown code, which is read-only.

    It is the directory that ``engine.native.runtime`` would take where another one cannot be written. So code that it
    cannot save beside the shown code is not copied with all of that, but compiled again by the next process.
    """
    shown, name = os.environ.pop(KERNELS_IN, ""), os.environ.pop(KERNELS_NAME, "")
    if not shown:
        return
    private = f"{os.environ.get('TMPDIR', '/tmp')}/bot-arena-kernels-{os.getuid()}"
    own = f"{private}/{name}"
    try:
        os.mkdir(private, 0o700)  # noqa: PTH102  # likewise
        os.mkdir(own, 0o700)  # noqa: PTH102  # likewise
        for package in os.listdir(shown):  # noqa: PTH208  # likewise
            os.symlink(f"{shown}/{package}", f"{own}/{package}")  # noqa: PTH211  # likewise
    except OSError:
        return  # the bot compiles
    os.environ["NUMBA_CACHE_DIR"] = own


def _run_as_main(file: str) -> dict[str, object]:
    """Run a file as the main module; return the variables of this module. Raises the exceptions of the file."""
    module = type(sys)("__main__")
    module.__file__ = file
    sys.modules["__main__"] = module
    with open(file, "rb") as source:  # noqa: PTH123  # likewise
        code = compile(source.read(), file, "exec")
    exec(code, module.__dict__)
    return module.__dict__


def _named(module: str, name: str) -> type[object]:
    """Return a class of a module. Raises ImportError, AttributeError and TypeError."""
    found = getattr(__import__(module, fromlist=[name]), name)
    if not isinstance(found, type):
        raise TypeError(f"{name} of {module} is not a class")
    return found


def _bots_of(defined: dict[str, object]) -> list[type[object]]:
    """Return the classes of bots that a main module defines, without those from which others of them inherit."""
    base = getattr(sys.modules.get("bots.bot"), "Bot", None)
    if base is None:
        return []
    own = {each for each in defined.values() if isinstance(each, type) and each.__module__ == "__main__"}
    bots = [each for each in own if issubclass(each, base)]
    return [each for each in bots if not any(other is not each and issubclass(other, each) for other in bots)]


def _has_played() -> bool:
    """Return whether the program has played by the SDK."""
    lines = sys.modules.get("bots.client.lines")
    return lines is not None and lines.has_played()


def _play(made: type[object]) -> None:
    """Play with a class. Raises TypeError if it is not a class of bots."""
    from bots import Bot, run

    if not issubclass(made, Bot):
        raise TypeError(f"{made.__name__} does not inherit from bots.Bot")
    run(made(), url="", token="")


if __name__ == "__main__":
    main()
