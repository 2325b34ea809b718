"""Blocks of a sweep over workers: a few tasks for each at a time, kept as they come, sent again where they are lost."""

from __future__ import annotations

import collections
import concurrent.futures
import math
import pickle
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import _core
from ._executors import Pool, finished, words
from ._worker import Order, compute, key_of
from .errors import CatenaError, ExecutorError

__all__ = ["Account", "distribute"]

TASK_SECONDS = 1.5
"""How long a task is to take: long for a scheduler, which needs milliseconds, and short for whoever loses a worker."""

TASKS_PER_WORKER = 4
"""Tasks of a worker under way, one of them computed: no worker waits, and a cluster that grows with its work does."""

LEAST_UNDER_WAY = 8
"""Tasks under way however few workers there are yet."""

PERIOD = 0.2
"""How often somebody looks after progress and Ctrl-C, s."""

COUNT_PERIOD = 1.0
"""How often workers are counted, s."""

LONELY = 30.0
"""After so many seconds without any worker somebody should know."""

MAX_LOSSES = 10
"""How often a block may be lost with its worker before it is the block that is to blame."""

LOSSES = {
    "ActorDiedError", "CommClosedError", "FutureCancelledError", "KilledWorker", "NodeDiedError", "ObjectLostError",
    "OutOfMemoryError", "TerminatedWorkerError", "WorkerCrashedError",
}  # fmt: skip
"""Exceptions of Dask, Ray and others that mean: the worker is gone, the task is innocent."""


@dataclass
class Account:
    """What distributing took."""

    tasks: int = 0
    """Tasks that were done."""
    lost: int = 0
    """Tasks that were lost with their workers and sent again."""
    task_seconds: float = 0.0
    """Time that workers computed, s, without deriving and compiling."""
    workers: int = 0
    """The most workers that there were at once."""


class Call:
    """A call that is made where it is unpickled: a worker without the package can take it, and say what it lacks."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return (compute, self.arguments)


@dataclass
class Task:
    """Blocks that a worker computes together."""

    blocks: list[int]
    pool: int
    """How many executors were before the one that has it."""


class Distribution:
    """What is under way."""

    def __init__(self, kept: _core.SweepStore, order: Order, pool: Pool, threads: int) -> None:
        self.kept = kept
        self.pool = pool
        self.arguments = (_core.version(), key_of(order), order)
        self.threads = threads
        self.waiting = collections.deque(kept.missing())
        self.under_way: dict[Any, Task] = {}
        self.losses: collections.Counter[int] = collections.Counter()
        self.block_seconds: float | None = None
        self.pools = 0
        self.account = Account()
        self.count = 0
        self.counted = -math.inf
        self.seen = time.monotonic()

    def missing(self) -> int:
        """Blocks that wait, or that somebody computes."""
        return len(self.waiting) + sum(len(task.blocks) for task in self.under_way.values())

    def workers(self) -> int:
        """Tasks that are computed at once, counted now and then."""
        if time.monotonic() - self.counted > COUNT_PERIOD:
            self.count = self.pool.workers()
            self.counted = time.monotonic()
            self.account.workers = max(self.account.workers, self.count)
            if self.count > 0:
                self.seen = self.counted
            elif self.counted - self.seen > LONELY:
                warnings.warn("there are no workers: the sweep waits for them", stacklevel=2)
                self.seen = math.inf
        return self.count

    def blocks_of_a_task(self, workers: int) -> int:
        """As many as take the time of a task; fewer towards the end, so that all workers end together."""
        if self.block_seconds is None:
            return 1
        most = max(1, math.ceil(TASK_SECONDS / self.block_seconds))
        share = math.ceil(len(self.waiting) / (2 * max(workers, 1)))
        return max(math.ceil(most / 4), min(most, share))

    def send(self) -> None:
        """Gives workers something to do."""
        workers = self.workers()
        most = max(LEAST_UNDER_WAY, TASKS_PER_WORKER * workers)
        if self.block_seconds is None:
            # one block for each worker tells how long blocks take
            most = max(workers, 1)
        while self.waiting and len(self.under_way) < most:
            size = self.blocks_of_a_task(workers)
            blocks = [self.waiting.popleft() for _ in range(min(size, len(self.waiting)))]
            try:
                future = self.pool.submit(pickle.loads, pickle.dumps(Call(*self.arguments, blocks, self.threads)))
            except concurrent.futures.BrokenExecutor as error:
                self.waiting.extendleft(reversed(blocks))
                self.broken(error)
            except Exception as error:
                raise refused(error) from error
            else:
                self.under_way[future] = Task(blocks, self.pools)

    def receive(self, future: Any) -> None:
        """Keeps what a task found, or sends it again."""
        task = self.under_way.pop(future)
        try:
            parcel, seconds = future.result()
        except CatenaError:
            raise
        except concurrent.futures.CancelledError as error:
            self.lost(task, error)
        except Exception as error:
            if not is_loss(error):
                raise refused(error) from error
            self.lost(task, error)
        else:
            self.kept.keep(parcel)
            self.pool.worked()
            each = seconds / len(task.blocks)
            self.block_seconds = each if self.block_seconds is None else (self.block_seconds + each) / 2
            self.account.tasks += 1
            self.account.task_seconds += seconds

    def lost(self, task: Task, error: Exception) -> None:
        """A worker died with its task."""
        self.account.lost += 1
        self.losses.update(task.blocks)
        if max(self.losses[block] for block in task.blocks) > MAX_LOSSES:
            first, last = task.blocks[0], task.blocks[-1]
            which = f"block {first}" if first == last else f"blocks {first} to {last}"
            raise ExecutorError(
                f"workers were lost {MAX_LOSSES + 1} times while they computed {which}: {words(error)}",
                "see what ends them: too little memory, a limit of time",
            ) from error
        self.waiting.extendleft(reversed(task.blocks))
        if isinstance(error, concurrent.futures.BrokenExecutor) and task.pool == self.pools:
            self.broken(error)

    def broken(self, error: Exception) -> None:
        """The executor itself is of no use any more."""
        if not self.pool.renew():
            raise ExecutorError(
                f"the executor broke: {words(error)}",
                "give a function that makes one, as executor=lambda: ProcessPoolExecutor(4): a new one takes over",
            ) from error
        self.pools += 1
        self.counted = -math.inf

    def recall(self) -> None:
        """Keeps what came in the meantime, and takes back the rest."""
        for future in self.under_way:
            try:
                if future.done() and not future.cancelled():
                    self.kept.keep(future.result()[0])
                else:
                    future.cancel()
            except Exception:  # whatever it was, the reason to end was another one
                continue


def distribute(
    kept: _core.SweepStore, order: Order, pool: Pool, threads: int, told: Callable[[float], object] | None
) -> Account:
    """Computes everything that is missing."""
    distribution = Distribution(kept, order, pool, threads)
    blocks = max(1, len(distribution.waiting))
    try:
        while distribution.waiting or distribution.under_way:
            distribution.send()
            for future in finished(list(distribution.under_way), PERIOD):
                distribution.receive(future)
            if told is not None:
                told(1 - distribution.missing() / blocks)
    finally:
        distribution.recall()
    return distribution.account


def is_loss(error: BaseException) -> bool:
    """Whether the worker is gone, and not the task wrong."""
    if isinstance(error, (concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError)):
        return True
    return any(base.__name__ in LOSSES for base in type(error).__mro__)


def refused(error: BaseException) -> ExecutorError:
    """Why an executor takes no task, or a worker cannot do one."""
    seen: BaseException | None = error
    while seen is not None:
        # what is missing elsewhere is missing here as a text
        if "No module named 'catena" in str(seen):
            return ExecutorError(
                f"a worker has no Catena; the sweep comes from Catena {_core.version()}",
                f"install Catena {_core.version()} where workers run",
            )
        seen = seen.__cause__ or seen.__context__
    if isinstance(error, RuntimeError) and "shutdown" in str(error):
        return ExecutorError(f"the executor is closed: {error}", "make a new one")
    return ExecutorError(f"the executor does not compute: {words(error)}")
