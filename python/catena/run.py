"""A motion, with its error."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._catalogue import catalogue, formulations
from ._display import film_html, picture_html, words_html
from ._nearest import did_you_mean
from ._table import Array, Table
from ._texts import Pairs, option_pairs
from ._version import check_version
from .errors import RequestError, UnknownColumnError, UnknownEventError

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

    from .model import Model
    from .prepared import Prepared

__all__ = ["Animation", "Picture", "Run"]


class Run:
    """A motion: what `scipy.integrate.solve_ivp` returns, with names, units and how right it is.

    >>> import catena
    >>> run = catena.load("double-pendulum").run(t_end=2.0, rtol=1e-9)
    >>> run.t.shape, run.y.shape
    ((101,), (4, 101))
    >>> run.names
    ['theta1', 'theta2', "theta1'", "theta2'"]
    >>> run["theta1"].shape
    (101,)
    >>> run.success, run.verdict
    (True, 'good')
    """

    def __init__(self, owner: Model | Prepared, options: Pairs, core: _core.Run) -> None:
        self._owner = owner
        self._options = options
        self._core: _core.Run | None = core

    @functools.cached_property
    def table(self) -> Table:
        """All columns by name: time, coordinates, velocities, multipliers, energies, outputs, forces of joints.

        Others are there if `columns` asks for them: `run(columns=["*", "theta1''", "pin_f"])`.
        """
        handle = self._handle()
        return Table(handle.columns(), handle.units())

    def _again(self, film: bool = False, samples: ArrayLike = ()) -> _core.Run:
        """The same motion once more, to see what was not looked at: the output never changes the steps."""
        options = [*self._options, ("no_certify", "true")]
        # the one that was taken in the end, where the first did not get through
        formulation = self.certificate["formulation"]
        if formulation in formulations():
            options = [("formulation", formulation), *options]
        moved = self._owner._move(options, film=film, samples=list(np.asarray(samples, float)))
        # films and reports say how right this run is, which was found out already
        return moved.certified_as(self._handle()) if film else moved

    def _handle(self) -> _core.Run:
        if self._core is None:
            self._core = self._owner._move(self._options)
        return self._core

    @property
    def model(self) -> Model:
        """The model that moved."""
        return self._owner.model

    @property
    def t(self) -> Array:
        """Times of the rows, s."""
        return self.table["t"]  # type: ignore[no-any-return]

    @functools.cached_property
    def names(self) -> list[str]:
        """Names of the rows of `y`: coordinates, then their rates, then first-order states."""
        return self._handle().names

    @functools.cached_property
    def y(self) -> Array:
        """States, a row for each name and a column for each time, as in `solve_ivp`."""
        y = np.array([self.table[name] for name in self.names]).reshape(len(self.names), len(self.t))
        y.flags.writeable = False
        return y

    def sol(self, t: ArrayLike) -> Array:
        """States at any times of the run, from the integrator's own dense output: as accurate as the rows.

        The shape is that of `solve_ivp`: a row for each state, whatever `columns` were asked for; no column if `t` is one
        number.

        >>> import catena
        >>> run = catena.load("double-pendulum").run(t_end=2.0)
        >>> run.sol(0.123).shape, run.sol([0.5, 0.25]).shape
        ((4,), (4, 2))
        """
        times = np.asarray(t, float)
        begin, end = self._handle().span
        last = self.t[-1] if len(self.t) else end
        if times.ndim > 1:
            raise RequestError(f"`t` has {times.ndim} dimensions", "give a time or a list of times")
        if np.isnan(times).any():
            raise RequestError("a time is not a number", "give times within the run")
        if times.size and not (np.all(times >= begin) and np.all(times <= last)):
            raise RequestError(f"the run goes from {begin:g} to {last:g} s", "give times within it")
        flat = np.atleast_1d(times)
        unique, back = np.unique(flat, return_inverse=True)
        samples = self._again(samples=unique).samples() if unique.size else None
        if samples is None:
            return np.empty((len(self.names), 0))
        states = np.array([column for name, column in samples.items() if name != "t"])[:, back]
        return states[:, 0] if times.ndim == 0 else states

    @functools.cached_property
    def events(self) -> Events[Table]:
        """What happened at the events, by their names in the model: a table for each."""
        found = self._handle().events()
        names = np.array(found.get("event", []), dtype=object)
        units = {**self.table.units, "event": ""}
        tables = {}
        for name in self.model.about["events"]:
            rows = np.flatnonzero(names == name)
            columns = {key: column[rows] for key, column in found.items() if key != "event"}
            tables[name] = Table(columns, {key: units.get(key, "") for key in columns})
        return Events(tables)

    @property
    def t_events(self) -> Events[Array]:
        """Times of the events, s, by their names in the model."""
        return Events({name: table["t"] for name, table in self.events.items()})

    @functools.cached_property
    def certificate(self) -> dict[str, Any]:
        """How right the motion is, and what it cost."""
        certificate: dict[str, Any] = json.loads(self._handle().certificate())
        return certificate

    @property
    def verdict(self) -> str:
        """The certificate in one word: good, doubtful or wrong."""
        return str(self.certificate["verdict"])

    @functools.cached_property
    def _status(self) -> tuple[int, str]:
        return self._handle().status()

    @property
    def y_events(self) -> Events[Array]:
        """States at the events by their names in the model: a row for each event, as in `solve_ivp`."""
        return Events({
            name: np.array([table[state] for state in self.names]).reshape(len(self.names), table.rows).T
            for name, table in self.events.items()
        })

    @property
    def status(self) -> int:
        """0: it reached its end; 1: an event ended it; -1: it could not go on."""
        return self._status[0]

    @property
    def message(self) -> str:
        """Why it ended."""
        return self._status[1]

    @property
    def success(self) -> bool:
        """Whether it reached its end or an event that ends it."""
        return self.status >= 0

    @property
    def nfev(self) -> int:
        """Evaluations of the right-hand side."""
        return int(self.certificate["evaluations"])

    def __getitem__(self, name: str) -> Array:
        if name not in self.table and name in self._on_request():
            raise UnknownColumnError(
                f"`{name}` is no column of this run", f'run(columns=["*", "{name}"]) has it besides all others'
            )
        return self.table[name]  # type: ignore[no-any-return]

    def _on_request(self) -> set[str]:
        """Columns that a run has only if somebody asks for them: sizes of forces, definitions, accelerations."""
        about = self.model.about
        definitions = about["definitions"]
        accelerations = [f"{entry['name']}''" for entry in about["coordinates"]]
        return {*about["quantities"], *definitions, *(f"{name}'" for name in definitions), *accelerations}

    def __contains__(self, name: object) -> bool:
        return name in self.table

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    @property
    def units(self) -> dict[str, str]:
        """What the columns are measured in."""
        return self.table.units

    def to_pandas(self) -> pandas.DataFrame:
        """All columns as a pandas DataFrame, a row for each time."""
        return self.table.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """All columns as a polars DataFrame, a row for each time."""
        return self.table.to_polars()

    def to_xarray(self) -> xarray.Dataset:
        """All columns as an xarray Dataset over the time."""
        return self.table.to_xarray()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes all columns; the ending names the format: .csv, .npz, .json."""
        self._handle().write(os.fspath(path))

    def plot(self, *columns: str | Sequence[str], **style: Any) -> Picture:
        """Columns over time; without names, the coordinates.

        Keywords are those of `--plot` on the command line, as `degrees=True` or `log_y=True`.
        """
        pairs = option_pairs(style, {row["key"]: row["kind"] for row in catalogue()["plotOptions"]})
        names = [name for given in columns for name in ([given] if isinstance(given, str) else given)]
        handle = self._handle()
        return Picture(lambda ending: handle.picture(names, ending, pairs))

    def animate(self) -> Animation:
        """What moves: shown in a notebook, or written with `.save("film.html")`, `.save("film.gif")`."""
        filmed = self._again(film=True)
        return Animation(filmed.animation, self.model.title)

    def draw(
        self,
        poses: int = 1,
        *,
        names: bool = False,
        centres: bool = False,
        forces: bool = False,
        trails: bool = False,
    ) -> Picture:
        """Poses of the motion in one picture, evenly from its start to its end; one pose is that at the end.

        `names`: of bodies and joints. `centres`: marks the centres of mass. `forces`: what joints do to their second
        body, as arrows to scale. `trails`: the paths of points.

        >>> import catena
        >>> catena.load("four-bar-bodies").run(t_end=1.0).draw(5, trails=True).svg.startswith("<svg")
        True
        """
        if isinstance(poses, bool) or not isinstance(poses, (int, np.integer)) or poses < 1:
            raise RequestError(f"`poses` cannot be {poses!r}", "give a whole number from 1 on")
        wanted = {"names": names, "centres": centres, "forces": forces, "trails": trails}
        marks = [mark for mark, is_wanted in wanted.items() if is_wanted]
        filmed = self._again(film=True)
        return Picture(lambda ending: filmed.drawing(ending, int(poses), marks))

    def report(self) -> str:
        """The model, its equations and this motion as one page of HTML."""
        return self._again(film=True).report()

    def __repr__(self) -> str:
        return f"<Run of {self.model.title}: {len(self.t)} rows to t = {self.t[-1]:g} s, {self.verdict}>"

    def __str__(self) -> str:
        return self._handle().words()

    def _repr_html_(self) -> str:
        return words_html(str(self)) + self.animate()._repr_html_() + self.plot()._repr_html_()

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        # what is shown of it is kept; the rest is computed again when somebody asks
        state["_core"] = None
        state["table"] = self.table
        state["names"] = self.names
        state["certificate"] = self.certificate
        state["_status"] = self._status
        state["events"] = self.events
        state["version"] = _core.version()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_version("a run", state.pop("version", None))
        self.__dict__.update(state)


T = TypeVar("T")


class Events(dict[str, T]):
    """What is known of events by their names; one that is not there is answered with the nearest."""

    def __missing__(self, name: str) -> T:
        raise UnknownEventError(f"there is no event `{name}`", did_you_mean(str(name), self, "events"))


class Picture:
    """A picture that a notebook shows, and that can be saved."""

    def __init__(self, made: Callable[[str], bytes]) -> None:
        self._made = made

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture; the ending names the format: .svg, .png, .pdf, .html."""
        save(path, self._made)

    @functools.cached_property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._made("svg").decode()

    def _repr_html_(self) -> str:
        return picture_html(self.svg)

    def __repr__(self) -> str:
        return "<Picture: a notebook shows it, .save(\"plot.svg\") writes it>"


class Animation:
    """A film that a notebook plays, and that can be saved."""

    def __init__(self, made: Callable[[str], bytes | None], title: str) -> None:
        self._made = made
        self._title = title

    @functools.cached_property
    def html(self) -> str:
        """The player, a page of HTML that needs nothing else; empty where there is nothing to see."""
        return (self._made("html") or b"").decode()

    def __bool__(self) -> bool:
        return bool(self.html)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the film; the ending names the format: .html or .gif."""

        def made(ending: str) -> bytes:
            bytes = self._made(ending)
            if bytes is None:
                raise RequestError(
                    "the model does not say what it looks like", "[draw] in the model says what is drawn"
                )
            return bytes

        save(path, made)

    def _repr_html_(self) -> str:
        if not self:
            return ""
        return film_html(self.html, self._title)


def save(path: str | os.PathLike[str], made: Callable[[str], bytes]) -> None:
    """Writes a file in the format that its ending names."""
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].removeprefix(".")
    if not ending:
        raise RequestError(f"`{path}` has no ending", "the ending names the format, as in `plot.svg`")
    content = made(ending)
    with open(path, "wb") as file:
        file.write(content)

