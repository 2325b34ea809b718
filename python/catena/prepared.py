"""A model that was derived and compiled once: runs, right-hand sides and functions of it."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._catalogue import kinds_of_run
from ._keywords import checked
from ._progress import Progress, ProgressBar
from ._table import Array
from ._texts import Pairs, option_pairs
from .errors import RequestError
from .functions import Functions, Rhs
from .run import Run

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Prepared", "run_pairs"]


def run_pairs(**options: Any) -> Pairs:
    """The options of a run as texts."""
    methods = options.get("with_")
    if isinstance(methods, Mapping):
        options["with_"] = [f"{key}={value}" for key, value in methods.items()]
    return option_pairs(options, kinds_of_run())


class Prepared:
    """A model that was derived and compiled once and runs many times.

    >>> import catena
    >>> prepared = catena.load("double-pendulum").prepare()
    >>> [prepared.run(t_end=1.0, rtol=rtol).success for rtol in (1e-6, 1e-9)]
    [True, True]
    >>> prepared.run(t_end=1.0, parameters={"l1": 0.8}, start={"theta1": 0.3, "theta1'": 2}).model.parameters["l1"]
    0.8
    """

    def __init__(
        self, model: Model, core: _core.Prepared, options: Pairs, varied: tuple[Prepared, dict[str, Any]] | None = None
    ) -> None:
        self.model = model
        """The model it was made from."""
        self._core = core
        self._options = options
        self._varied = varied

    @property
    def formulation(self) -> str:
        """How constraints enter."""
        return self._core.formulation

    @functools.cached_property
    def names(self) -> list[str]:
        """Names of a state, in the coordinates of the formulation: coordinates, their rates, first-order states.

        >>> import catena
        >>> catena.load("double-pendulum").prepare().names
        ['theta1', 'theta2', "theta1'", "theta2'"]
        """
        return self._core.names

    @functools.cached_property
    def y0(self) -> Array:
        """The state at the start, what the model does not give solved for; in the order of `names`."""
        start: Array = self._core.assembled()
        start.flags.writeable = False
        return start

    @functools.cached_property
    def rhs(self) -> Rhs:
        """The right-hand side as a function of (t, y), for `scipy.integrate.solve_ivp` and others.

        `y` has the order of `names`; with the shape (n, k) it is k states at once, as `vectorized=True` asks for.

        >>> import catena
        >>> prepared = catena.load("double-pendulum").prepare()
        >>> prepared.rhs(0.0, prepared.y0).shape
        (4,)
        """
        return Rhs(self)

    @functools.cached_property
    def functions(self) -> Functions:
        """What was derived, as functions over many states: M, Q, Phi, Phi_q, gamma, energies, outputs, accelerations.

        `functions(parameters={"l1": 0.8})` has other parameters, without compiling anew.

        >>> import catena, numpy
        >>> prepared = catena.load("double-pendulum").prepare()
        >>> angles = numpy.linspace(0, 1, 10).reshape(5, 2)
        >>> prepared.functions.M(0.0, angles, numpy.zeros(2)).shape
        (5, 2, 2)
        """
        return Functions(self)

    def set(self, settings: Mapping[str, Any] | None = None, /, **values: Any) -> Prepared:
        """The same, compiled already, with other parameters or another start; sizes make another model.

        >>> import catena
        >>> prepared = catena.load("double-pendulum").prepare()
        >>> prepared.set({"theta1'": 2.0}, l1=0.8).y0[2]
        np.float64(2.0)
        """
        changed = {**(settings or {}), **values}
        if not changed:
            return self
        model = self.model.set(changed)
        core = self._core.varied(model._core)
        if core is None:
            values_given = ", ".join(f"{name} = {value}" for name, value in changed.items())
            raise RequestError(
                f"with {values_given} the model has other equations, which have to be derived anew",
                "`model.set(...)` does it, then `prepare()`",
            )
        return Prepared(model, core, self._options, (self, changed))

    def _with(self, parameters: Mapping[str, Any] | None, start: Mapping[str, Any] | None) -> Prepared:
        """The same with these parameters and this start, each under its own name."""
        for what, given in (("parameters", parameters), ("start", start)):
            if given is not None and not isinstance(given, Mapping):
                raise RequestError(f"`{what}` is a dictionary, not {given!r}", "write {\"theta1\": 0.3, \"theta1'\": 2}")
        if not parameters and not start:
            return self
        known = self.model.parameters
        for name in parameters or ():
            if name in self.names:
                raise RequestError(f"`{name}` is no parameter, it belongs to the start", f'start={{"{name}": …}}')
        for name in start or ():
            if name in known:
                raise RequestError(f"`{name}` is a parameter, not a part of the start", f'parameters={{"{name}": …}}')
            if name not in self.names and not name.startswith("guess."):
                raise unknown_name("nothing at the start is called", name, self.names)
        return self.set({**(parameters or {}), **(start or {})})

    @checked
    def run(
        self,
        t_end: float | str | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        t_start: float | str | None = None,
        every: float | str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        integrator: str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        columns: list[str] | str | None = None,
        with_: Mapping[str, Any] | list[str] | None = None,
        linear: bool | None = None,
        certify: bool | None = None,
        progress: Progress = None,
    ) -> Run:
        """Moves the model in time; everything is as for `Model.run`.

        `parameters`, `start`: values for this run, as {"l1": 0.8} and {"theta1": 0.3, "theta1'": 2}; nothing is
        compiled anew, and the motion is that of `model.set(...)`.
        """
        pairs = run_pairs(
            t_end=t_end, t_start=t_start, every=every, rtol=rtol, atol=atol, integrator=integrator, step=step,
            first_step=first_step, max_step=max_step, max_steps=max_steps, columns=columns, with_=with_,
            linear=linear, certify=certify,
        )  # fmt: skip
        owner = self._with(parameters, start)
        return Run(owner, pairs, owner._move(pairs, progress=progress))

    def _move(
        self, options: Pairs, *, film: bool = False, samples: list[float] = [], progress: Progress = None
    ) -> _core.Run:
        with ProgressBar(self.model.title, progress) as told:
            return self._core.run(options, film, samples, told)

    def __repr__(self) -> str:
        return f"<Prepared {self.model.name}: {self.formulation}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._varied is not None:
            return (Prepared.set, self._varied)
        return (prepared_again, (self.model, self._options))


def prepared_again(model: Model, options: Pairs) -> Prepared:
    """A prepared model that was pickled: derived and compiled where it arrives."""
    return Prepared(model, model._core.prepare(options), options)


def unknown_name(what: str, name: str, known: Iterable[str]) -> RequestError:
    """There is no such name; which one may be meant."""
    names = list(known)
    near = difflib.get_close_matches(str(name), names, 1)
    return RequestError(f"{what} `{name}`", f"did you mean `{near[0]}`?" if near else f"known are: {', '.join(names)}")
