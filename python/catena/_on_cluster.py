"""What `catena sweep --on` starts: a sweep as one line of JSON comes in, what it took goes out."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from . import _core
from ._distribute import distribute
from ._executors import pool_of
from ._progress import ProgressBar
from ._worker import Order, planned
from .errors import CatenaError, RequestError

__all__ = ["computed", "main"]


def computed(request: dict[str, Any]) -> dict[str, float]:
    """Computes what is missing in a file."""
    order: Order = (
        request["name"], request["text"], pairs(request["settings"]), request["over"], request["measures"],
        pairs(request["times"]), pairs(request["options"]),
    )  # fmt: skip
    plan = planned(order)
    pool = pool_of(request["on"])
    try:
        kept = _core.SweepStore.begin(plan, request["store"], request["resume"])
        blocks = len(kept.missing())
        began = time.perf_counter()
        with ProgressBar(plan.description()[0], None) as told:
            account = distribute(kept, order, pool, 1, told)
        seconds = time.perf_counter() - began
    finally:
        pool.close()
    return {"blocks": blocks, "seconds": seconds, "workers": account.workers, "tasks": account.tasks}


def pairs(listed: list[list[str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in listed]


def main() -> int:
    try:
        answer: dict[str, Any] = dict(computed(json.loads(sys.stdin.readline())))
    except CatenaError as error:
        usage = isinstance(error, RequestError)
        answer = {"error": {"message": error.message, "help": error.help, "usage": usage}}
    except KeyboardInterrupt:
        return 130
    print(json.dumps(answer), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
