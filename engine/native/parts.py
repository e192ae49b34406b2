# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile each function once: functions that only compiled code calls are kept as LLVM intermediate code ("parts").

By default numba compiles each function completely: with entry points for Python and C, optimised and emitted as machine
code together with all functions it calls. Python calls only the outermost function of a search, but the functions that
it calls would be optimised and emitted again with each of their callers.

Here a function that compiled code calls becomes a part, without entry points. Only a function that Python calls becomes
machine code, together with all parts that it needs. If Python calls a function that was compiled as a part, it is
compiled again, completely. ``Kernel`` decides, and ``Library`` links parts.
"""

import hashlib
import itertools
import secrets
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import binding
from numba.core import codegen, compiler, dispatcher, sigutils
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.types.misc import unliteral

from engine.native import cached_code, inference, runtime

_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of a part: no entry points."""

_SHARED = "linkonce_odr"
"""Linkage of a function that several modules may define equally, and that is dropped if nothing calls it."""

_ENVIRONMENT, _ADDRESS = "_ZN08NumbaEnv", "numba.dynamic.globals"
"""Prefixes of the names of two kinds of global variables: environments, and addresses."""


class Library(codegen.JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a function: a part until the address of an entry point is needed."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own: Any = None
        """The function's own code, for its callers."""
        self._bitcode = b""
        self._linking_libraries: list[Any] = []
        self._environments: tuple[Any, ...] = ()
        """Environments of a loaded part, which must live as long as its code."""

    @property
    def is_part(self) -> bool:
        """Whether there is no machine code."""
        return not self._finalized

    def add_linking_library(self, library: Any) -> None:
        """Note that this function calls another one; its code need not be optimised for that."""
        self._linking_libraries.append(library)

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function's machine code; 0 if there is no function of that name."""
        return int(super().get_pointer_to_function(name)) if not self.is_part or self._defines(name) else 0

    def finalize(self) -> None:
        """Optimise this function together with all functions it calls, and emit machine code."""
        for library in self._called():
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        # LLVM analyses the side effects of a function only if no other module can replace it
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        self._linking_libraries = []
        super().finalize()
        for name, environment in _environments(self._final_module):
            self._codegen.set_env(name, environment)

    @property
    def has_dynamic_globals(self) -> bool:
        """Whether the code contains addresses, which are invalid in other processes."""
        if not self.is_part:
            return bool(super().has_dynamic_globals)
        modules = [self._final_module, *(library._get_module_for_linking() for library in self._called())]
        return any(variable.name.startswith(_ADDRESS) for module in modules for variable in module.global_variables)

    def serialize_using_object_code(self) -> Any:
        """Return the data for the cache; of a part its intermediate code, and that of all functions it calls."""
        if not self.is_part:
            return super().serialize_using_object_code()
        libraries = [self, *(library for library in self._called() if library is not rtsys.library)]
        environments = {id(each): each for library in libraries for each in library._needed() if each.can_cache()}
        return self.name, "part", ([each._as_bitcode() for each in libraries], tuple(environments.values()))

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "part":
            return super()._unserialize(codegen, state)
        (own, *called), environments = data
        library = cls(codegen, name)
        library._final_module = library._own = binding.parse_bitcode(own)
        library._bitcode = own
        library._environments = environments
        library._linking_libraries = [*(_piece(codegen, each) for each in called), rtsys.library]
        return library

    def _optimize_functions(self, ll_module: Any) -> None:
        """Simplify each function, so that parts are smaller; ``finalize`` does the full optimisation."""
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=1)
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _called(self) -> Iterator[Any]:
        """Yield the libraries that this one needs, each once, callers before callees.

        LLVM links a shared function only if a function that was linked before calls it.
        """
        found: dict[Any, None] = {}

        def visit(library: Any) -> None:
            for called in reversed(library._linking_libraries) if isinstance(library, Library) else ():
                if called not in found:
                    visit(called)
            found[library] = None

        visit(self)
        del found[self]
        return reversed(found)

    def _get_module_for_linking(self) -> Any:
        if not self.is_part:
            return super()._get_module_for_linking()
        if self._own is None:
            self._own = self._final_module.clone()
            for function in self._own.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = _SHARED
        return self._own

    def _as_bitcode(self) -> bytes:
        self._bitcode = self._bitcode or self._get_module_for_linking().as_bitcode()
        return self._bitcode

    def _needed(self) -> list[Any]:
        return [*self._environments, *(each for _, each in _environments(self._get_module_for_linking()))]

    def _defines(self, name: str) -> bool:
        try:
            return not self._final_module.get_function(name).is_declaration
        except NameError:
            return False


def _environments(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield the environments of a module's functions: Python objects, such as those of exceptions."""
    for variable in module.global_variables:
        if variable.name.startswith(_ENVIRONMENT):
            environment = lookup_environment(variable.name)
            if environment is not None:
                yield variable.name, environment


_pieces: weakref.WeakValueDictionary[bytes, Library] = weakref.WeakValueDictionary()
"""Callees of loaded parts by a hash of their code: the files of many parts contain the same callees."""


def _piece(codegen: Any, bitcode: bytes) -> Library:
    """Return the code of a callee of a loaded part."""
    key = hashlib.sha256(bitcode).digest()
    piece = _pieces.get(key)
    if piece is None:
        piece = _pieces[key] = Library(codegen, "piece")
        piece._final_module = piece._own = binding.parse_bitcode(bitcode)
        piece._bitcode = bitcode
        piece._linking_libraries = [rtsys.library]
    return piece


class Codegen(codegen.JITCPUCodegen):  # type: ignore[misc]  # numba has no types
    """numba's code generator, with ``Library``."""

    _library_class = Library

    def set_env(self, env_name: str, env: Any) -> None:
        """Set the address of a function's environment in machine code; a part has none yet."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)


class Flags(compiler.Flags):  # type: ignore[misc]  # numba has no types
    """numba's flags with a cached hash: numba uses them as a key for each operation of a function."""

    __slots__ = ("_known",)

    def _key(self) -> tuple[int, tuple[Any, ...]]:
        known: tuple[int, tuple[Any, ...]] | None = getattr(self, "_known", None)
        if known is None:
            known = super().__hash__(), tuple(self.values().items())
            object.__setattr__(self, "_known", known)
        return known

    def __hash__(self) -> int:
        return self._key()[0]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Flags):
            return self is other or self._key() == other._key()
        return bool(super().__eq__(other))

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, "_known", None)
        object.__setattr__(self, name, value)

    def discard(self, name: str) -> None:
        """Reset an option to its default value."""
        object.__setattr__(self, "_known", None)
        super().discard(name)


_FunctionCompiler: Any = getattr(dispatcher, "_FunctionCompiler")  # noqa: B009  # not told to type checkers


class _Compiler(_FunctionCompiler):  # type: ignore[misc]  # numba has no types
    def _customize_flags(self, flags: Any) -> Any:
        return Flags(flags)


class Kernel(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A compiled function: a part if compiled code calls it, machine code if Python does."""

    _as_part = False

    def __init__(self, py_func: Any, *args: Any, **options: Any) -> None:
        super().__init__(py_func, *args, **options)
        self._compiler = _Compiler(py_func, self.targetdescr, self.targetoptions, self.locals, compiler.Compiler)

    def enable_caching(self) -> None:
        """Cache compiled code on disk."""
        self._cache = cached_code.GuardedCache(self.py_func)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return numba's template of a call from compiled code; compile the part if it is missing.

        Literal arguments are treated as their type; otherwise a variable that begins as 0 would cause another version.
        """
        args = tuple(map(unliteral, args))
        kws = {name: unliteral(kind) for name, kind in kws.items()}
        with global_compiler_lock:
            before = self._as_part
            self._compile_parts(True)
            try:
                return super().get_call_template(args, kws)
            finally:
                self._compile_parts(before)

    def compile(self, sig: Any) -> Any:
        """Compile for a signature, if it was not compiled, or only as a part and Python calls it now."""
        with global_compiler_lock:
            arguments = tuple(sigutils.normalize_signature(sig)[0])
            if not self._as_part and arguments in self.overloads and _is_part(self.overloads[arguments]):
                del self.overloads[arguments]
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Register compiled code; complete code also for calls from Python."""
        if _is_part(cres):
            self.overloads[tuple(cres.signature.args)] = cres
        else:
            super().add_overload(cres)

    def _compile_parts(self, as_part: bool) -> None:
        self._as_part = as_part
        self._compiler.targetoptions = self.targetoptions | _BARE if as_part else self.targetoptions
        if isinstance(self._cache, cached_code.GuardedCache):
            self._cache.of_parts = as_part


def _is_part(result: Any) -> bool:
    return isinstance(result.library, Library) and result.library.is_part


def decorator(*, cache: bool = False, **options: Any) -> Any:
    """Return a decorator like ``numba.njit`` with these options, with parts."""

    def decorate(function: Callable[..., Any]) -> Kernel:
        kernel = Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
        if cache:
            kernel.enable_caching()
        return kernel

    return decorate


def _number_apart() -> None:
    """Make this process number its functions differently from all other processes.

    numba distinguishes functions of the same name by a number that starts at 1 in each process. A search links parts of
    several processes, and LLVM would treat two functions of the same name as one.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(64) << 32)


def install() -> None:
    """Make numba compile into ``Library``."""
    cpu_target.target_context._internal_codegen = Codegen("engine.native.parts")
    inference.install()
    runtime.in_each_process(_number_apart)
    cached_code.guard()
