"""Sweeps over executors: equal to those of one process, and what happens when workers die, lie or are missing."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

import catena
from catena import _core, _distribute, _worker

OVER = {"theta1": (0.1, 3.0, 40), "m2": [1.0, 2.0, 0.0]}
KEYWORDS: dict[str, Any] = {"measure": ["last:theta1", "max:energy"], "t_end": 2.0}


@pytest.fixture(scope="module")
def pendulum() -> catena.Model:
    return catena.load("double-pendulum", l1=0.8)


@pytest.fixture(scope="module")
def alone(pendulum: catena.Model) -> catena.Sweep:
    return pendulum.sweep(OVER, **KEYWORDS)


def same(one: catena.Sweep, other: catena.Sweep) -> bool:
    """Bit for bit, the words of what failed too."""
    equal = all(one[measure].tobytes() == other[measure].tobytes() for measure in one.measures)
    return equal and one.complete and other.complete and (one.status == other.status).all()


class Strange(ThreadPoolExecutor):
    """Does to its futures what a test wants."""

    def __init__(self, strange: Callable[..., Future[Any]]) -> None:
        super().__init__(2)
        self.strange = strange
        self.tasks = 0

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        self.tasks += 1
        return self.strange(self, super().submit, function, *arguments)


def failed(error: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


class KilledWorker(Exception):
    """As Dask calls it."""


def test_processes_give_the_bits_of_one_process(pendulum: catena.Model, alone: catena.Sweep) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        found = pendulum.sweep(OVER, executor=executor, **KEYWORDS)
        assert executor.submit(abs, -1).result() == 1, "it is the caller's and stays open"
    assert same(found, alone)
    assert found.attempt["tasks"] > 1 and found.attempt["workers"] == 2
    assert len(found.failed["reason"]) == 40


def test_a_sweep_on_an_executor_is_kept_in_its_file_and_resumed(
    pendulum: catena.Model, alone: catena.Sweep, tmp_path: pathlib.Path
) -> None:
    store = tmp_path / "map.sweep"

    def interrupt(part: float) -> None:
        if part > 0:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as executor:
        with pytest.raises(KeyboardInterrupt, match="interrupted: .* blocks are kept in"):
            pendulum.sweep(OVER, executor=executor, store=store, progress=interrupt, **KEYWORDS)
        part = catena.read_sweep(store)
        assert part.computed.any() and not part.complete
        found = pendulum.sweep(OVER, executor=executor, store=store, resume=True, **KEYWORDS)
    assert same(found, alone)


def test_tasks_are_grouped_so_that_they_are_few(pendulum: catena.Model) -> None:
    with ThreadPoolExecutor(2) as executor:
        found = pendulum.sweep({"theta1": (0.1, 3.0, 4000)}, executor=executor, t_end=0.05)
    assert found.attempt["tasks"] < found.attempt["blocks"] / 4


def test_whatever_has_submit_done_and_result_is_an_executor(pendulum: catena.Model, alone: catena.Sweep) -> None:
    class Job:
        def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
            self.found = function(*arguments)

        def done(self) -> bool:
            return True

        def result(self) -> Any:
            return self.found

    class Queue:
        def submit(self, function: Callable[..., Any], *arguments: Any) -> Job:
            return Job(function, arguments)

    assert same(pendulum.sweep(OVER, executor=Queue(), **KEYWORDS), alone)


def test_lost_tasks_are_sent_again(pendulum: catena.Model, alone: catena.Sweep) -> None:
    def strange(self: Strange, submit: Any, *task: Any) -> Future[Any]:
        if self.tasks == 1:
            return failed(KilledWorker("a worker died"))
        if self.tasks == 2:
            return failed(concurrent.futures.CancelledError())
        return submit(*task)  # type: ignore[no-any-return]

    with Strange(strange) as executor:
        found = pendulum.sweep(OVER, executor=executor, **KEYWORDS)
    assert same(found, alone) and found.attempt["lost_tasks"] == 2


def test_blocks_that_end_every_worker_are_named(pendulum: catena.Model) -> None:
    with Strange(lambda self, submit, *task: failed(KilledWorker("out of memory"))) as executor:
        words = r"workers were lost 11 times while they computed block \d+: KilledWorker: out of memory"
        with pytest.raises(catena.ExecutorError, match=words) as refused:
            pendulum.sweep(OVER, executor=executor, **KEYWORDS)
    assert "too little memory" in str(refused.value.help)


def test_a_pool_whose_process_died_is_told_with_what_to_do(pendulum: catena.Model, tmp_path: pathlib.Path) -> None:
    executor = ProcessPoolExecutor(1)
    with pytest.raises(BrokenProcessPool):
        executor.submit(os._exit, 1).result()
    with pytest.raises(catena.ExecutorError, match="the executor broke") as refused:
        pendulum.sweep(OVER, executor=executor, store=tmp_path / "map.sweep", **KEYWORDS)
    assert "executor=lambda: ProcessPoolExecutor(4)" in str(refused.value.help)
    assert "0 of 15 blocks are kept in" in str(refused.value.help)
    assert "resume=True" in str(refused.value.help)


def test_a_function_makes_another_pool_where_one_breaks(pendulum: catena.Model, alone: catena.Sweep) -> None:
    made: list[ProcessPoolExecutor] = []

    def make() -> ProcessPoolExecutor:
        made.append(ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
        if len(made) == 1:
            made[0].submit(os._exit, 1)
        return made[-1]

    found = pendulum.sweep(OVER, executor=make, **KEYWORDS)
    assert same(found, alone) and len(made) == 2
    with pytest.raises(RuntimeError, match="shutdown"):
        made[1].submit(abs, 1)


def test_a_closed_executor_is_told(pendulum: catena.Model) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    words = "the executor is closed: cannot schedule new futures after shutdown"
    with pytest.raises(catena.ExecutorError, match=words):
        pendulum.sweep(OVER, executor=executor, **KEYWORDS)


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        (3, "`executor` cannot be 3: it has no `submit`"),
        (lambda: None, "`executor` cannot be None: it has no `submit`"),
        ("localhost:8786", "`localhost:8786` is no address of an executor"),
        ("dusk", "`dusk` is no address of an executor"),
    ],
)
def test_what_is_no_executor_is_refused(pendulum: catena.Model, executor: Any, message: str) -> None:
    with pytest.raises(catena.RequestError) as refused:
        pendulum.sweep(OVER, executor=executor, **KEYWORDS)
    assert message in refused.value.message and refused.value.help


def test_a_worker_with_another_version_is_refused_with_both(pendulum: catena.Model) -> None:
    def strange(self: Strange, submit: Any, function: Any, task: bytes) -> Future[Any]:
        return submit(function, pickle.dumps(_distribute.Call("9.9.9")))  # type: ignore[no-any-return]

    with Strange(strange) as executor:
        words = f"a worker has Catena {catena.__version__}, and the sweep comes from Catena 9.9.9"
        with pytest.raises(catena.VersionError, match=words) as refused:
            pendulum.sweep(OVER, executor=executor, **KEYWORDS)
    assert refused.value.help == "install the same version everywhere"


def test_a_worker_without_the_package_is_refused(pendulum: catena.Model) -> None:
    def strange(self: Strange, submit: Any, *task: Any) -> Future[Any]:
        return failed(ModuleNotFoundError("No module named 'catena'", name="catena"))

    with Strange(strange) as executor:
        words = f"a worker has no Catena; the sweep comes from Catena {catena.__version__}"
        with pytest.raises(catena.ExecutorError, match=words):
            pendulum.sweep(OVER, executor=executor, **KEYWORDS)


def test_what_goes_wrong_on_a_worker_is_told(pendulum: catena.Model) -> None:
    with Strange(lambda self, submit, *task: failed(OSError("the disk is full"))) as executor:
        with pytest.raises(catena.ExecutorError, match="the executor does not compute: OSError: the disk is full"):
            pendulum.sweep(OVER, executor=executor, **KEYWORDS)


def test_blocks_that_arrive_damaged_or_belong_elsewhere_are_refused(pendulum: catena.Model) -> None:
    def plan(t_end: str) -> _core.SweepPlan:
        order: _worker.Order = (pendulum.name, pendulum.text, [], ["theta1=0:1:20"], [], [("t_end", t_end)], [])
        return _worker.planned(order)

    parcel = plan("0.1").compute([0, 2], 1, None)
    kept = _core.SweepStore.begin(plan("0.1"), None, False)
    assert sorted(kept.keep(parcel)) == [0, 2] and kept.missing() == [1]
    with pytest.raises(catena.ExecutorError, match="the blocks of a worker arrived damaged"):
        kept.keep(parcel[:-1] + bytes([parcel[-1] ^ 1]))
    with pytest.raises(catena.ExecutorError, match="the blocks of a worker belong to another sweep"):
        kept.keep(plan("0.2").compute([0], 1, None))
    with pytest.raises(catena.RequestError, match="there is no block 3: the sweep has 3 of them, numbered from 0"):
        plan("0.1").compute([3], 1, None)


def test_a_worker_derives_a_sweep_once(pendulum: catena.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    derived: list[_worker.Order] = []
    planned = _worker.planned

    def counted(order: _worker.Order) -> _core.SweepPlan:
        derived.append(order)
        return planned(order)

    monkeypatch.setattr(_worker, "planned", counted)
    with ThreadPoolExecutor(2) as executor:
        pendulum.sweep({"theta1": (0.11, 2.9, 50)}, executor=executor, t_end=0.1)
        pendulum.sweep({"theta1": (0.11, 2.9, 50)}, executor=executor, t_end=0.1)
    assert len(derived) == 1


@pytest.fixture(scope="module")
def dask_client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def test_dask_gives_the_bits_of_one_process(pendulum: catena.Model, alone: catena.Sweep, dask_client: Any) -> None:
    assert same(pendulum.sweep(OVER, executor=dask_client, **KEYWORDS), alone)
    assert dask_client.status == "running", "it is the caller's and stays open"
    address = dask_client.scheduler_info()["address"]
    assert same(pendulum.sweep(OVER, executor=address, **KEYWORDS), alone)


def test_a_closed_dask_client_is_told(pendulum: catena.Model, dask_client: Any) -> None:
    client = type(dask_client)(dask_client.scheduler_info()["address"], set_as_default=False)
    client.close()
    with pytest.raises(catena.ExecutorError, match="the Dask client is closed"):
        pendulum.sweep(OVER, executor=client, **KEYWORDS)


def test_a_scheduler_that_does_not_answer_is_told(pendulum: catena.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("catena._executors.DASK_TIMEOUT", "300ms")
    with pytest.raises(catena.ExecutorError, match="no Dask scheduler answers at tcp://127.0.0.1:1"):
        pendulum.sweep(OVER, executor="dask://127.0.0.1:1", **KEYWORDS)
