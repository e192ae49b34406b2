# SPDX-License-Identifier: GPL-3.0-or-later
"""WebAssembly bots: modules in a deterministic machine that counts instructions, without files, clock or network.

``runner`` is the program of such a bot: it speaks the protocol in lines of JSON and plays by the module's exports.
``machine`` loads and calls a module, ``abi`` lays out the messages in its memory, ``stack_limit`` bounds the depth of
its calls. Only ``machine`` imports wasmtime, in the process of the runner. docs/how-to/wasm.md is for authors.
"""
