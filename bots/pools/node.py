# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker of a Ray cluster runs: a batch of pieces of one function, which it keeps for the next batches."""

import functools
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from bots.pools.pool import PoolFailed
from bots.pools.probe import differences, software
from bots.pools.remote import pickled_error, unpickled_call

_KEPT = 4
"""Functions that a worker keeps."""

_software = functools.cache(software)
"""The versions of this node, read once by each worker."""

_known: OrderedDict[str, Callable[..., Any]] = OrderedDict()


def packed(function: Callable[..., Any]) -> bytes:
    """Return a pickled function with the versions that each node must have."""
    return pickle.dumps((_software(), pickle.dumps(function)))


def compute(key: str, function: bytes, pieces: list[bytes]) -> tuple[str, float, list[bytes]]:
    """Compute pieces; return the key of this node, the seconds that they took, and their pickled results.

    ``key`` names the function among all functions of the pool; ``function``: its pickle with the expected versions, as
    ``packed`` returns it.
    """
    import ray  # on a node only

    where = str(ray.get_runtime_context().get_node_id())
    began = time.perf_counter()
    try:
        if key not in _known:
            expected, pickled = pickle.loads(function)  # every holder of the cluster's token may run code
            if wrong := differences(expected, _software()):
                raise PoolFailed(f"a node that joined has other versions: {', '.join(wrong)}")
            _known[key] = pickle.loads(pickled)
            while len(_known) > _KEPT:
                _known.popitem(last=False)
        work = _known[key]
    except Exception as error:
        return where, 0.0, [pickled_error(error)] * len(pieces)
    _known.move_to_end(key)
    found = [unpickled_call(work, piece) for piece in pieces]
    return where, time.perf_counter() - began, found
