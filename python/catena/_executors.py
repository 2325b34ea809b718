"""Who computes the blocks of a sweep: anything that takes tasks as `concurrent.futures` does, Dask and Ray."""

from __future__ import annotations

import concurrent.futures
import importlib
import os
import time
from collections.abc import Callable, Collection
from typing import Any

from .errors import ExecutorError, RequestError

__all__ = ["Pool", "finished", "pool_of"]

MAX_RENEWALS = 3
"""Executors that may break one after the other without a block that was done."""

DASK_TIMEOUT = "20s"
"""How long a scheduler may take to answer."""

SCHEMES = ("tcp://", "tls://", "ucx://", "ws://", "wss://", "inproc://", "dask://")


class Pool:
    """An executor as `concurrent.futures` knows it: `submit` returns something with `done` and `result`."""

    def __init__(self, executor: Any) -> None:
        self.executor = executor

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Begins a task."""
        return self.executor.submit(function, *arguments)

    def workers(self) -> int:
        """Tasks that are computed at once."""
        # `num_workers` is that of mpi4py, the other one that of Python's own executors
        for name in ("num_workers", "_max_workers"):
            count = getattr(self.executor, name, None)
            if isinstance(count, int) and count > 0:
                return count
        return os.cpu_count() or 1

    def renew(self) -> bool:
        """Replaces an executor that broke; False where nobody said how."""
        return False

    def worked(self) -> None:
        """A task was done."""

    def close(self) -> None:
        """Ends what was begun here; an executor that was given stays open."""


class MadePool(Pool):
    """A function that makes an executor, and another one where that breaks."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__(make())
        if not hasattr(self.executor, "submit"):
            raise no_executor(self.executor)
        self.make = make
        self.renewals = 0

    def renew(self) -> bool:
        self.renewals += 1
        if self.renewals > MAX_RENEWALS:
            return False
        self.close()
        self.executor = self.make()
        return True

    def worked(self) -> None:
        self.renewals = 0

    def close(self) -> None:
        if hasattr(self.executor, "shutdown"):
            self.executor.shutdown(wait=False)


class DaskPool(Pool):
    """A client of Dask's distributed scheduler."""

    def __init__(self, client: Any, is_own: bool) -> None:
        # every task is one of its own: a lost one is sent again, not looked up
        super().__init__(client.get_executor(pure=False))
        self.client = client
        self.is_own = is_own

    def workers(self) -> int:
        """As many as there are now: a cluster may grow and shrink."""
        try:
            return sum(self.client.nthreads().values())
        except Exception as error:
            raise ExecutorError(f"the Dask scheduler does not answer any more: {words(error)}") from error

    def close(self) -> None:
        if self.is_own:
            self.client.close()


class RayPool(Pool):
    """The cluster that Ray is connected to, or this machine."""

    def __init__(self) -> None:
        # a name that is looked up at run time: nobody needs it to check types
        ray = importlib.import_module("ray")
        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        super().__init__(ray)
        self.remote: dict[Any, Any] = {}

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function not in self.remote:
            # Ray takes no function of C, and sends a lambda as it is: workers need nothing to receive it
            self.remote[function] = self.executor.remote(lambda *given: function(*given))
        return self.remote[function].remote(*arguments).future()

    def workers(self) -> int:
        return int(self.executor.cluster_resources().get("CPU", 1))


def pool_of(executor: Any) -> Pool:
    """What takes tasks: an executor, a function that makes one, a Dask client or its address, or "ray"."""
    if isinstance(executor, str):
        if executor == "ray":
            try:
                return RayPool()
            except ImportError:
                raise RequestError("Ray is not installed", "pip install ray") from None
        return DaskPool(dask_client(executor), is_own=True)
    if hasattr(executor, "get_executor") and hasattr(executor, "nthreads"):
        if getattr(executor, "status", "running") in ("closed", "closing"):
            raise ExecutorError("the Dask client is closed", "make a new one")
        return DaskPool(executor, is_own=False)
    if hasattr(executor, "submit") and not isinstance(executor, type):
        return Pool(executor)
    if callable(executor):
        return MadePool(executor)
    raise no_executor(executor)


def no_executor(executor: Any) -> RequestError:
    return RequestError(
        f"`executor` cannot be {executor!r}: it has no `submit`",
        "give an executor of concurrent.futures, a Dask client, or an address as tcp://host:8786",
    )


def dask_client(address: str) -> Any:
    """A client of the scheduler at an address."""
    if not address.startswith(SCHEMES):
        raise RequestError(
            f"`{address}` is no address of an executor", "write it as tcp://host:8786, or give the executor itself"
        )
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise RequestError("Dask is not installed", "pip install distributed") from None
    place = address.replace("dask://", "tcp://", 1)
    try:
        return distributed.Client(place, timeout=DASK_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutorError(
            f"no Dask scheduler answers at {place}: {words(error)}", "start one with `dask scheduler`"
        ) from error


def finished(futures: Collection[Any], seconds: float) -> list[Any]:
    """Those of the futures that are done; waits for the first one, but not longer than this."""
    if all(isinstance(future, concurrent.futures.Future) for future in futures):
        return list(concurrent.futures.wait(futures, seconds, concurrent.futures.FIRST_COMPLETED).done)
    # whatever else has `done`
    end = time.monotonic() + seconds
    while True:
        done = [future for future in futures if future.done()]
        if done or time.monotonic() >= end:
            return done
        time.sleep(min(0.05, seconds))


def words(error: BaseException) -> str:
    """An exception in one line."""
    text = " ".join(str(error).split())
    name = type(error).__name__
    return f"{name}: {text}" if text else name
