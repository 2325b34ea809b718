"""What a worker of a sweep does: numbers of blocks come in, their results go out as bytes.

A worker may be another thread, process or machine. What it is sent is plain data; it derives and compiles the model once
and keeps it for the tasks that follow.
"""

from __future__ import annotations

import collections
import hashlib
import threading
import time
from typing import Any

from . import _core
from ._texts import Pairs
from .errors import VersionError

__all__ = ["Order", "compute", "key_of", "planned"]

Order = tuple[str, str, Pairs, list[str], list[str], Pairs, Pairs]
"""A sweep as plain data: name, text and settings of the model, axes, measures, times, options of the run."""

MAX_PLANS = 4
"""Sweeps that a worker keeps compiled."""

_plans: collections.OrderedDict[str, _core.SweepPlan] = collections.OrderedDict()
_lock = threading.Lock()


def planned(order: Order) -> _core.SweepPlan:
    """Derives and compiles a sweep."""
    name, text, settings, over, measures, times, options = order
    return _core.SweepPlan(_core.Model.read(name, text, settings), over, measures, times, options)


def key_of(order: Order) -> str:
    """Sweeps with the same key are the same."""
    return hashlib.sha256(repr(order).encode()).hexdigest()


def compute(version: str, *task: Any) -> tuple[bytes, float]:
    """Some blocks of a sweep, as bytes, and how long they took, s; what follows `version` differs between versions."""
    if version != _core.version():
        raise VersionError(
            f"a worker has Catena {_core.version()}, and the sweep comes from Catena {version}",
            "install the same version everywhere",
        )
    key, order, blocks, threads = task
    # threads of one worker do not derive the same model at once
    with _lock:
        plan = _plans.get(key)
        if plan is None:
            plan = _plans[key] = planned(order)
            while len(_plans) > MAX_PLANS:
                _plans.popitem(last=False)
    began = time.perf_counter()
    parcel = plan.compute(blocks, threads, None)
    return parcel, time.perf_counter() - began
