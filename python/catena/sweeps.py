"""Sweeps: one model moved many times, over a grid of parameters and starts, here or on a cluster."""

from __future__ import annotations

import contextlib
import functools
import html
import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._catalogue import catalogue, kinds_of_sweep
from ._display import table_html
from ._distribute import Account, distribute
from ._executors import pool_of
from ._keywords import checked
from ._progress import Progress, ProgressBar
from ._table import Array, Table, cell, unknown_column
from ._texts import Pairs, checked_threads, option_pairs, range_of, setting_pairs, text_of
from ._version import check_version
from ._worker import Order
from .errors import ExecutorError, RequestError
from .run import Picture

if TYPE_CHECKING:
    import pandas
    import xarray

    from .model import Model

__all__ = ["Sweep", "read_sweep", "sweep"]

DONE = "done"
MISSING = "not computed"

MAX_PICTURE_AXES = 2
"""Curves have one axis, maps two."""


@checked
def sweep(
    model: Model,
    over: Mapping[str, Any],
    measure: str | Sequence[str] = (),
    *,
    t_end: float | str | None = None,
    t_start: float | str | None = None,
    every: float | str | None = None,
    after: float | str | None = None,
    step: float | str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    formulation: str | None = None,
    integrator: str | None = None,
    first_step: float | str | None = None,
    max_step: float | str | None = None,
    max_steps: int | None = None,
    with_: Mapping[str, Any] | list[str] | None = None,
    device: Literal["cpu", "gpu"] | None = None,
    precision: Literal["f64", "f32"] | None = None,
    store: str | os.PathLike[str] | None = None,
    resume: bool = False,
    executor: Any = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Sweep:
    """Moves a model many times, over a grid of parameters and starts, and keeps a few numbers of each motion.

    `over`: what is varied, each as (from, to, count), as (from, to, count, "log"), as a list or an array of values, or
    as a text of the command line. `measure`: "last", "max", "min", "maxabs", "amplitude", "mean" or "rms" of a column, as
    "max:theta1", or "time:" and an event or a formula; several in a list; without any, the amplitude of the first
    coordinate. `t_end`, `every`, `after` (rows count from then on) and `step` may be formulas of parameters, as "50/f".
    The rest is as for `Model.run`.

    `device="gpu"` computes on a GPU of NVIDIA, where there is none on the processor; the sweep's `device` says which. Steps of
    a GPU agree with the processor's to rounding; `precision="f32"` is faster and has seven digits, and the sweep's
    `precision_loss` says what that costs.

    `store`: a file that keeps every block at once; `resume=True` continues it after whatever happened. `executor`: None
    computes on `threads` threads of this process; else an executor of `concurrent.futures`, a function that makes one,
    a Dask client or the address of a scheduler ("tcp://host:8786"), or "ray": tasks then have `threads` threads each, one
    unless given. The numbers are the same, bit for bit, on equal processors.

    A motion that fails is NaN with its reason in `.status`; it does not end the sweep.

    >>> import catena
    >>> pendulum = catena.load("double-pendulum")
    >>> found = catena.sweep(pendulum, {"theta1": (0.1, 1.5, 4), "m2": [1, 2, 3]}, "max:theta2", t_end=2.0)
    >>> found["max:theta2"].shape, found.units["max:theta2"], found.complete
    ((4, 3), 'rad', True)
    """
    if resume and store is None:
        raise RequestError("`resume` continues a file, and none is named", 'name the file, as in store="map.sweep"')
    if device == "gpu" and executor is not None:
        raise RequestError("an executor's tasks run on processors", 'leave out executor, or device="gpu"')
    threads = checked_threads(threads)
    times = option_pairs({"t_end": t_end, "t_start": t_start, "every": every, "after": after, "step": step}, {})
    options = run_options(
        rtol=rtol, atol=atol, formulation=formulation, integrator=integrator, first_step=first_step, max_step=max_step,
        max_steps=max_steps, with_=with_, device=device, precision=precision,
    )  # fmt: skip
    axes, measures = axis_texts(over), measure_texts(measure)
    order: Order = (model.name, model.text, setting_pairs(model._settings), axes, measures, times, options)
    plan = _core.SweepPlan(model._core, axes, measures, times, options)
    with contextlib.ExitStack() as ends:
        pool = None if executor is None else ends.enter_context(contextlib.closing(pool_of(executor)))
        kept = _core.SweepStore.begin(plan, None if store is None else os.fspath(store), resume)
        missing = len(kept.missing())
        began = time.perf_counter()
        account = None
        try:
            with ProgressBar(model.title, progress) as told:
                if pool is None:
                    kept.fill(plan, threads or os.cpu_count() or 1, told)
                else:
                    account = distribute(kept, order, pool, threads or 1, told)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted: {what_is_kept(kept, plan, store)}") from None
        except ExecutorError as error:
            also = what_is_kept(kept, plan, store)
            raise ExecutorError(error.message, f"{error.help}; {also}" if error.help else also) from error.__cause__
    attempt = attempt_of(missing, time.perf_counter() - began, account)
    return Sweep(kept, plan.units, attempt, plan.device, plan.precision_loss(kept))


def read_sweep(store: str | os.PathLike[str]) -> Sweep:
    """The sweep that a file holds, finished or not: of `store=`, of `catena sweep -o`, merged from chunks.

    A file does not say what its numbers are measured in.
    """
    return Sweep(_core.SweepStore.open(os.fspath(store)), [], {})


class Sweep:
    """The numbers of a sweep, shaped as its grid.

    >>> import catena
    >>> found = catena.load("single-pendulum").sweep({"theta": (0.1, 3.0, 5)}, ["max:theta", "mean:energy"], t_end=1.0)
    >>> found.axes["theta"].shape, found["mean:energy"].shape
    ((5,), (5,))
    >>> found.measures
    ['max:theta', 'mean:energy']
    >>> str(found.status[0])
    'done'
    """

    def __init__(
        self,
        kept: _core.SweepStore,
        units: Sequence[str],
        attempt: Mapping[str, float],
        device: str | None = None,
        precision_loss: Mapping[str, tuple[float, float, int]] | None = None,
    ) -> None:
        self._kept: _core.SweepStore | None = kept
        self._description = kept.description()
        self.title, settings, axes, self.measures = self._description
        self.settings = dict(settings)
        """Everything that determines the numbers besides axes and measures."""
        self.axes: dict[str, Array] = {name: frozen(values) for name, _, values in axes}
        """What is varied; the last one changes fastest."""
        names = [*self.axes, *self.measures]
        self.units = dict(zip(names, units)) if units else dict.fromkeys(names, "")
        """What axes and measures are measured in; empty where that is not known."""
        self.attempt = dict(attempt)
        """What computing took: seconds, trajectories of this call, tasks, workers."""
        self.device = device
        """What the GPU that was asked for is, or why the processor has computed; None where none was asked for."""
        self.precision_loss = precision_loss
        """Of each measure how far single precision is from double precision in some cells: the median, the largest difference,
        and how many cells have a number in one of them alone; None where all were computed in double precision."""
        values, computed, self._failures, self.processors = kept.read()
        self._numbers: dict[str, Array] = {
            name: frozen(np.ascontiguousarray(values[:, at]).reshape(self.shape))
            for at, name in enumerate(self.measures)
        }
        self.computed: NDArray[np.bool_] = frozen(computed.reshape(self.shape))
        """Whether a trajectory was computed, whatever came out."""

    processors: dict[str, int]
    """What computed the blocks, with how many of them each."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of values of the axes."""
        return tuple(len(values) for values in self.axes.values())

    @property
    def complete(self) -> bool:
        """Whether all trajectories were computed."""
        return bool(self.computed.all())

    def __getitem__(self, name: str) -> Array:
        try:
            return self._numbers[name]
        except (KeyError, TypeError):
            pass
        if name in self.axes:
            return self.axes[name]
        raise unknown_column(name, {**self._numbers, **self.axes})

    @functools.cached_property
    def status(self) -> NDArray[np.object_]:
        """What became of each trajectory: "done", "not computed", or why it failed."""
        status = np.where(self.computed, DONE, MISSING).astype(object)
        flat = status.reshape(-1)
        for place, reason in self._failures:
            flat[place] = reason
        status.flags.writeable = False
        return status

    @functools.cached_property
    def failed(self) -> Table:
        """Trajectories that failed: where on the axes, and why."""
        places = np.unravel_index(np.array([place for place, _ in self._failures], dtype=np.intp), self.shape)
        columns: dict[str, Any] = {
            name: frozen(values[at]) for (name, values), at in zip(self.axes.items(), places, strict=True)
        }
        columns["reason"] = [reason for _, reason in self._failures]
        return Table(columns, {**{name: self.units[name] for name in self.axes}, "reason": ""})

    def to_xarray(self) -> xarray.Dataset:
        """As an xarray Dataset: the axes are its dimensions, the measures and the status its variables."""
        import xarray

        dims = list(self.axes)

        def units(name: str) -> dict[str, str]:
            return {"units": self.units[name]} if self.units[name] else {}

        variables: dict[str, Any] = {name: (dims, self[name], units(name)) for name in self.measures}
        variables["status"] = (dims, self.status)
        coordinates = {name: (name, values, units(name)) for name, values in self.axes.items()}
        return xarray.Dataset(variables, coordinates, {"title": self.title})

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas DataFrame: a row for each trajectory, with its axes, its measures and its status."""
        import pandas

        grids = np.meshgrid(*self.axes.values(), indexing="ij")
        columns: dict[str, Any] = {name: grid.reshape(-1) for name, grid in zip(self.axes, grids, strict=True)}
        columns.update((name, self[name].reshape(-1)) for name in self.measures)
        columns["status"] = self.status.reshape(-1)
        frame = pandas.DataFrame(columns)
        frame.attrs["units"] = self.units
        return frame

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a table with a row for each trajectory; the ending names the format: .csv, .npz, .json."""
        self._handle().write(os.fspath(path))

    def plot(self, **style: Any) -> Picture:
        """Curves over one axis, maps over two; keywords as for `Run.plot`."""
        pairs = option_pairs(style, {row["key"]: row["kind"] for row in catalogue()["plotOptions"]})
        return Picture(lambda ending: self._handle().picture(ending, pairs))

    def _handle(self) -> _core.SweepStore:
        """What the core draws and writes; a sweep that was pickled is given back to it."""
        if self._kept is None:
            flat = np.stack([self[name].reshape(-1) for name in self.measures], axis=1)
            self._kept = _core.SweepStore.again(self._description, flat, self.computed.reshape(-1), self._failures)
        return self._kept

    def __repr__(self) -> str:
        axes = " × ".join(f"{len(values)} {name}" for name, values in self.axes.items())
        failed = f", {len(self._failures)} failed" if self._failures else ""
        missing = "" if self.complete else f", {np.count_nonzero(~self.computed)} not computed"
        return f"<Sweep of {self.title}: {axes}; {', '.join(self.measures)}{failed}{missing}>"

    def _repr_html_(self) -> str:
        head = ["measure", "smallest", "at", "largest", "at"]
        words = f"<p>{html.escape(repr(self)[1:-1])}</p>{table_html(head, self._extremes())}"
        if self._failures:
            place, reason = self._failures[0]
            words += f"<p>failed at {html.escape(self._place(place))}: {html.escape(reason)}</p>"
        return words + (self.plot()._repr_html_() if len(self.axes) <= MAX_PICTURE_AXES else "")

    def _extremes(self) -> list[list[str]]:
        rows = []
        for name in self.measures:
            numbers = self[name]
            label = f"{name}, {self.units[name]}" if self.units[name] else name
            if np.isnan(numbers).all():
                rows.append([label, "–", "", "–", ""])
                continue
            least, greatest = int(np.nanargmin(numbers)), int(np.nanargmax(numbers))
            row = [label]
            for place in (least, greatest):
                row += [cell(numbers.reshape(-1)[place]), self._place(place)]
            rows.append(row)
        return rows

    def _place(self, place: int) -> str:
        """Where a trajectory is on the axes."""
        at = np.unravel_index(place, self.shape)
        pairs = zip(self.axes.items(), at, strict=True)
        return ", ".join(f"{name} = {cell(values[index])}" for (name, values), index in pairs)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": None, "version": _core.version()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_version("a sweep", state.pop("version", None))
        self.__dict__.update(state)


def frozen(array: Any) -> Any:
    """An array that cannot be written."""
    array.flags.writeable = False
    return array


def axis_texts(over: Mapping[str, Any]) -> list[str]:
    """What is varied, as on the command line."""
    if not isinstance(over, Mapping):
        raise RequestError(
            f"`over` cannot be a value of the type `{type(over).__name__}`",
            'give a dictionary of names and values, as {"theta1": (0, 2, 100)}',
        )
    texts = []
    for name, values in over.items():
        if np.ndim(values) == 1 and len(values) == 0:
            raise RequestError(f"there are no values of `{name}` to run through", "give a list of numbers")
        texts.append(f"{name}={range_of(name, values)}")
    return texts


def measure_texts(measure: str | Sequence[str]) -> list[str]:
    """What is kept, as on the command line."""
    texts: list[Any] = [measure] if isinstance(measure, str) or not hasattr(measure, "__iter__") else list(measure)
    for text in texts:
        if not isinstance(text, str):
            raise RequestError(f"`measure` cannot be {text!r}", 'give a text as "max:theta1", or a list of them')
    return texts


def run_options(**options: Any) -> Pairs:
    """Methods and tolerances as texts."""
    methods = options["with_"]
    if isinstance(methods, Mapping):
        options["with_"] = [f"{key}={text_of(key, value)}" for key, value in methods.items()]
    return option_pairs(options, kinds_of_sweep())


def what_is_kept(kept: _core.SweepStore, plan: _core.SweepPlan, store: str | os.PathLike[str] | None) -> str:
    """What an end before its time leaves, and how to go on."""
    if store is None:
        return 'nothing is kept; with store="map.sweep" the same call would go on from here'
    done = plan.blocks - len(kept.missing())
    path = os.fspath(store)
    return f"{done} of {plan.blocks} blocks are kept in `{path}`; the same call with resume=True computes the rest"


def attempt_of(blocks: int, seconds: float, account: Account | None) -> dict[str, float]:
    attempt: dict[str, float] = {"blocks": blocks, "seconds": seconds}
    if account is not None:
        attempt.update(
            tasks=account.tasks, lost_tasks=account.lost, task_seconds=account.task_seconds, workers=account.workers
        )
    return attempt
