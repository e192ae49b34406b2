# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker of a Ray cluster runs: a batch of pieces of one function, which it keeps for the next batches."""

import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from bots.pools.remote import pickled_error, unpickled_call

_KEPT = 4
"""Functions that a worker keeps."""

_known: OrderedDict[str, Callable[..., Any]] = OrderedDict()


def compute(key: str, function: bytes, pieces: list[bytes]) -> tuple[str, float, list[bytes]]:
    """Compute pieces; return the key of this node, the seconds that they took, and their pickled results.

    ``key`` names the pickled function among all functions of the pool.
    """
    import ray  # on a node only

    where = str(ray.get_runtime_context().get_node_id())
    began = time.perf_counter()
    try:
        if key not in _known:
            _known[key] = pickle.loads(function)  # whoever has the cluster's token may run code
            while len(_known) > _KEPT:
                _known.popitem(last=False)
        work = _known[key]
    except Exception as error:
        return where, 0.0, [pickled_error(error)] * len(pieces)
    _known.move_to_end(key)
    found = [unpickled_call(work, piece) for piece in pieces]
    return where, time.perf_counter() - began, found
