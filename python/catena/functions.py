"""What was derived, as functions on NumPy arrays: of one state, or of many at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._table import Array
from ._texts import checked_threads
from .errors import RequestError

if TYPE_CHECKING:
    from .prepared import Prepared

__all__ = ["Energies", "Functions", "Rhs"]

NO_COLUMNS: list[str] = []
CORES = os.cpu_count() or 1
"""To ask for them takes longer than to evaluate a state."""


class Energies(NamedTuple):
    """Energies at states, J."""

    kinetic: Array
    """T"""
    potential: Array
    """V"""


class Functions:
    """The functions of M v̇ + Φqᵀλ = Q, Φq v̇ = γ, over one state or over many.

    Every function takes `(t, q, v, states=None, out=None)`. `q` and `v` have the shape (n,) for one state or (k, n) for
    k states, in the coordinates of the formulation (`prepared.names`); what is given once counts for all states.
    `states` are the first-order states of models that have them. The result has a row for each state and is written
    into `out` where that is given. All cores are used where there are many states, or `threads=`. NaN stands where there
    is no result.

    >>> import catena, numpy
    >>> functions = catena.load("double-pendulum").prepare().functions
    >>> q = numpy.random.default_rng(1).uniform(-3, 3, (1000, 2))
    >>> functions.mass_matrix(0.0, q, numpy.zeros(2)).shape
    (1000, 2, 2)
    >>> functions.energies(0.0, q, numpy.zeros(2)).potential.shape
    (1000,)
    >>> shorter = functions(parameters={"l1": 0.5})
    >>> bool((shorter.M(0.0, q)[:, 0, 0] < functions.M(0.0, q)[:, 0, 0]).all())
    True
    """

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        """Where they come from."""
        self._core = prepared._core.functions()
        self._sizes = self._core.sizes
        self._shapes: dict[str, tuple[int, ...]] = {}

    def __call__(self, parameters: Mapping[str, Any] | None = None) -> Functions:
        """The same functions with other parameters."""
        return self.prepared._with(parameters, None).functions

    def mass_matrix(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike | None = None, states: ArrayLike | None = None,
        out: Array | None = None, *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """M, (k, n, n)."""
        return self._evaluate("mass_matrix", t, q, v, states, out, threads)

    def forces(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, states: ArrayLike | None = None, out: Array | None = None,
        *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """Q, (k, n): everything on the right side that is neither M v̇ nor a constraint."""
        return self._evaluate("forces", t, q, v, states, out, threads)

    def constraints(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike | None = None, states: ArrayLike | None = None,
        out: Array | None = None, *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """Φ, (k, m): zero where the constraints are satisfied."""
        return self._evaluate("constraints", t, q, v, states, out, threads)

    def constraint_jacobian(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike | None = None, states: ArrayLike | None = None,
        out: Array | None = None, *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """Φq, (k, m, n): the derivative of Φ by q."""
        return self._evaluate("constraint_jacobian", t, q, v, states, out, threads)

    def gamma(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, states: ArrayLike | None = None, out: Array | None = None,
        *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """γ, (k, m), so that Φq v̇ = γ."""
        return self._evaluate("gamma", t, q, v, states, out, threads)

    def accelerations(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, states: ArrayLike | None = None, out: Array | None = None,
        *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """v̇, (k, n), by the formulation: what stabilises constraints is in it."""
        return self._evaluate("accelerations", t, q, v, states, out, threads)

    def multipliers(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, states: ArrayLike | None = None, out: Array | None = None,
        *, threads: int | None = None,
    ) -> Array:  # fmt: skip
        """λ, (k, m): the sizes of the constraints' forces."""
        return self._evaluate("multipliers", t, q, v, states, out, threads)

    def energies(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, states: ArrayLike | None = None, out: Array | None = None,
        *, threads: int | None = None,
    ) -> Energies:  # fmt: skip
        """Kinetic and potential energy, (k,) each, J; `out` has the shape (k, 2)."""
        both = self._evaluate("energies", t, q, v, states, out, threads)
        return Energies(both[..., 0], both[..., 1])

    def outputs(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, states: ArrayLike | None = None, out: Array | None = None,
        *, names: Sequence[str] | None = None, threads: int | None = None,
    ) -> dict[str, Array]:  # fmt: skip
        """The outputs of the model by name, (k,) each; `out` has a column for each of them.

        `names` may name any column of a run: definitions, accelerations as "theta1''", multipliers as "lambda_pin".
        """
        if isinstance(names, str):
            names = [names]
        columns = self._core.outputs if names is None else [str(name) for name in names]
        all = self._evaluate("columns", t, q, v, states, out, threads, columns)
        return {name: all[..., at] for at, name in enumerate(columns)}

    M = mass_matrix
    Q = forces
    Phi = constraints
    Phi_q = constraint_jacobian

    def _evaluate(
        self,
        name: str,
        t: ArrayLike,
        q: ArrayLike,
        v: ArrayLike | None,
        states: ArrayLike | None,
        out: Array | None,
        threads: int | None,
        columns: list[str] = NO_COLUMNS,
    ) -> Array:
        n, _, k = self._sizes
        names = self.prepared.names
        time = numbers("t", t)
        coordinates = rows("q", q, n, names[:n], "coordinate")
        velocities = np.zeros(n) if v is None else rows("v", v, n, names[n : 2 * n], "velocity")
        if states is None:
            if k and name not in ("mass_matrix", "constraints", "constraint_jacobian", "gamma"):
                raise RequestError(
                    f"the model has first-order states: {', '.join(names[2 * n :])}", "give them as `states`"
                )
            first_order = np.zeros(k)
        else:
            first_order = rows("states", states, k, names[2 * n :], "first-order state")
        leading = common_shape(time, coordinates, velocities, first_order)
        count = int(np.prod(leading)) if leading else 1
        shape = leading + self._shape(name, columns)
        if out is None:
            out = np.empty(shape)
        else:
            check_out(out, shape, [time, coordinates, velocities, first_order])
        self._core.evaluate(
            name,
            columns,
            count,
            time.reshape(1) if time.size == 1 else np.ascontiguousarray(np.broadcast_to(time, leading)).reshape(-1),
            flat(coordinates, leading),
            flat(velocities, leading),
            flat(first_order, leading),
            np.asarray(out).reshape(-1),
            checked_threads(threads) or CORES,
        )
        return out

    def _shape(self, name: str, columns: list[str]) -> tuple[int, ...]:
        """The shape of a result at one state; columns are as many as their names, and are looked up."""
        shape = None if columns else self._shapes.get(name)
        if shape is None:
            shape = self._shapes[name] = tuple(self._core.shape(name, columns))
        return shape

    def __repr__(self) -> str:
        n, m, k = self._sizes
        return f"<Functions of {self.prepared.model.name}: {n} coordinates, {m} constraints, {k} first-order states>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (getattr, (self.prepared, "functions"))


class Rhs:
    """The right-hand side of the equations of motion, ẏ = f(t, y).

    >>> import catena
    >>> from scipy.integrate import solve_ivp
    >>> prepared = catena.load("double-pendulum").prepare()
    >>> solution = solve_ivp(prepared.rhs, (0, 1), prepared.y0, rtol=1e-9, atol=1e-9)
    >>> own = prepared.run(t_end=1.0, rtol=1e-9)
    >>> bool(abs(solution.y[:, -1] - own.y[:, -1]).max() < 1e-6)
    True
    """

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        """Where it comes from."""
        self._core = prepared._core.functions()
        self._rate = self._core.rate

    @property
    def names(self) -> list[str]:
        """Names of the components of y."""
        return self.prepared.names

    def __call__(self, t: ArrayLike, y: ArrayLike) -> Array:
        """The rate of one state, or of the columns of `y`; NaN where there is none."""
        try:
            return self._rate(t, y)
        except TypeError:
            return self._other(t, y)

    def _other(self, t: ArrayLike, y: ArrayLike) -> Array:
        """The same for what is no plain array."""
        time, state = numbers("t", t), numbers("y", y)
        size = len(self.names)
        if state.ndim not in (1, 2) or state.shape[0] != size:
            raise RequestError(
                f"`y` has the shape {state.shape}, and a state has {size} numbers",
                f"give ({size},) or ({size}, k): {', '.join(self.names)}",
            )
        count = 1 if state.ndim == 1 else state.shape[1]
        if time.size not in (1, count) or time.ndim > 1:
            raise RequestError(f"`t` has the shape {time.shape}", f"give a time, or one for each of {count} states")
        joined = np.ascontiguousarray(state.T).reshape(-1)
        out = np.empty(count * size)
        self._core.rates(np.ascontiguousarray(time).reshape(-1), joined, out, CORES)
        return out.reshape(state.T.shape).T

    def __repr__(self) -> str:
        return f"<Rhs of {self.prepared.model.name}: {self.prepared.formulation}, y = ({', '.join(self.names)})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (getattr, (self.prepared, "rhs"))


def numbers(name: str, values: ArrayLike) -> Array:
    """Anything that can be numbers as an array of them."""
    if type(values) is np.ndarray and values.dtype == np.float64 and values.flags.aligned:
        return values
    if type(values) is float:
        return np.array(values)
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "fiubO":
            raise TypeError(f"its numbers are of the type {array.dtype}")
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise RequestError(f"`{name}` is no array of real numbers: {error}", "give numbers") from None


def rows(name: str, values: ArrayLike, size: int, names: Sequence[str], what: str) -> Array:
    """Rows of so many numbers each."""
    array = numbers(name, values)
    if array.ndim == 0 or array.shape[-1] != size:
        many = "no" if size == 0 else str(size)
        plural = what if size == 1 else {"velocity": "velocities"}.get(what, what + "s")
        raise RequestError(
            f"`{name}` has the shape {array.shape}, and the model has {many} {plural}",
            f"the last dimension has to be {size}" + (f": {', '.join(names)}" if names else ""),
        )
    return array


def common_shape(time: Array, q: Array, v: Array, states: Array) -> tuple[int, ...]:
    """How many states there are, in as many dimensions as they have."""
    if time.ndim == 0 and q.ndim == v.ndim == states.ndim == 1:
        return ()
    parts = {"t": time.shape, "q": q.shape[:-1], "v": v.shape[:-1], "states": states.shape[:-1]}
    try:
        return np.broadcast_shapes(*parts.values())
    except ValueError:
        told = ", ".join(f"`{name}` is for {shape or 'one state'}" for name, shape in parts.items())
        raise RequestError(
            f"the numbers of states do not fit each other: {told}", "give each for all states, or for one"
        ) from None


def flat(rows: Array, leading: tuple[int, ...]) -> Array:
    """All numbers in a line; those of a single state once."""
    if rows.shape[:-1] != leading and rows.size != rows.shape[-1]:
        rows = np.broadcast_to(rows, (*leading, rows.shape[-1]))
    return np.ascontiguousarray(rows).reshape(-1)


def check_out(out: Any, shape: tuple[int, ...], inputs: list[Array]) -> None:
    """Whether results can be written into an array."""
    wanted = f"give `numpy.empty({shape})`"
    if not isinstance(out, np.ndarray):
        raise RequestError(f"`out` is no array but of the type `{type(out).__name__}`", wanted)
    if out.shape != shape:
        raise RequestError(f"`out` has the shape {out.shape}, and the result has {shape}", wanted)
    if out.dtype != np.float64:
        raise RequestError(f"`out` has numbers of the type {out.dtype}, not float64", wanted)
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise RequestError("`out` is not contiguous" if out.flags.aligned else "`out` is not aligned", wanted)
    if not out.flags.writeable:
        raise RequestError("`out` cannot be written", wanted)
    if any(np.may_share_memory(out, given) for given in inputs):
        raise RequestError("`out` shares memory with what is given", "give it memory of its own")
