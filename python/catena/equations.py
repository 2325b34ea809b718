"""The equations of motion as SymPy matrices."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import MotionError

if TYPE_CHECKING:
    import sympy

__all__ = ["Equations"]

# more do not fit on a page, and take long to be set
MAX_COORDINATES_SHOWN = 6


@dataclass(frozen=True, repr=False)
class Equations:
    """The equations of motion M q̈ + Φqᵀ λ = Q, Φq q̈ = γ with SymPy's own types.

    Coordinates and states are functions of time, as `sympy.physics.mechanics.dynamicsymbols` makes them, velocities are
    their derivatives, parameters are plain symbols without assumptions: `sympy.Symbol("m", positive=True)` is another
    one than `sympy.Symbol("m")`, and `equations.parameters` has those that are meant. Definitions of the model are
    written out.

    >>> import catena
    >>> equations = catena.load("double-pendulum").derive().to_sympy()
    >>> equations.mass_matrix[0, 1]
    l1*l2*m2*cos(theta1(t) - theta2(t))
    >>> equations.potential
    -g*l1*m1*cos(theta1(t)) + g*m2*(-l1*cos(theta1(t)) - l2*cos(theta2(t)))
    """

    title: str
    """What they are of."""
    t: sympy.Symbol
    """The time."""
    coordinates: sympy.Matrix
    """q, a column of functions of time."""
    velocities: sympy.Matrix
    """The time derivatives of the coordinates."""
    states: sympy.Matrix
    """First-order states."""
    multipliers: sympy.Matrix
    """λ, a symbol `lambda_NAME` for each constraint."""
    parameters: dict[sympy.Symbol, float]
    """The parameters and their values."""
    formulas: dict[sympy.Symbol, sympy.Expr]
    """Parameters that follow from others."""
    definitions: dict[str, sympy.Expr]
    """Named formulas of the model."""
    mass_matrix: sympy.Matrix
    """M."""
    forces: sympy.Matrix
    """Q, everything on the right side that is neither M q̈ nor a constraint."""
    constraints: sympy.Matrix
    """Φ, which stays 0."""
    constraint_jacobian: sympy.Matrix
    """Φq = ∂Φ/∂q."""
    constraint_rate: sympy.Matrix
    """Φt = ∂Φ/∂t."""
    constraint_gamma: sympy.Matrix
    """γ, so that Φq q̈ = γ."""
    state_rates: sympy.Matrix
    """The time derivatives of the states."""
    kinetic: sympy.Expr
    """T."""
    potential: sympy.Expr
    """V."""

    @property
    def M(self) -> sympy.Matrix:
        """The mass matrix."""
        return self.mass_matrix

    @property
    def Q(self) -> sympy.Matrix:
        """The forces."""
        return self.forces

    @property
    def Phi(self) -> sympy.Matrix:
        """The constraints."""
        return self.constraints

    @property
    def Phi_q(self) -> sympy.Matrix:
        """The Jacobian of the constraints."""
        return self.constraint_jacobian

    @property
    def gamma(self) -> sympy.Matrix:
        """The right side of Φq v̇ = γ."""
        return self.constraint_gamma

    @property
    def lagrangian(self) -> sympy.Expr:
        """T − V."""
        return self.kinetic - self.potential

    @property
    def energy(self) -> sympy.Expr:
        """T + V."""
        return self.kinetic + self.potential

    @property
    def accelerations(self) -> sympy.Matrix:
        """The second time derivatives of the coordinates."""
        return self.velocities.diff(self.t)

    @property
    def residual(self) -> sympy.Matrix:
        """M q̈ + Φqᵀ λ − Q, which is 0 along every motion."""
        return self.mass_matrix * self.accelerations + self.constraint_jacobian.T * self.multipliers - self.forces

    def __repr__(self) -> str:
        return f"<Equations of {self.title}: {len(self.coordinates)} coordinates, {len(self.constraints)} constraints>"

    def _repr_latex_(self) -> str | None:
        if len(self.coordinates) > MAX_COORDINATES_SHOWN:
            return None
        import sympy
        from sympy.physics.vector.printing import vlatex

        equation = sympy.Eq(self.residual, sympy.zeros(*self.residual.shape), evaluate=False)
        return f"$\\displaystyle {vlatex(equation)}$"


def equations_of(document: str, source: str) -> Equations:
    """From the equations as JSON and as Python, which has the names of the definitions."""
    return Document(json.loads(document), definition_names(source)).equations()


def definition_names(source: str) -> list[str]:
    """The names in a source's table of definitions."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "DEFINITIONS":
            return list(ast.literal_eval(statement.value))
    return []


class Document:
    """The equations as JSON, with what their names stand for."""

    def __init__(self, document: dict[str, Any], definition_names: list[str]) -> None:
        import sympy
        from sympy.physics.vector import dynamicsymbols

        self.document = document
        self.functions = {function["name"]: function for function in document["functions"]}
        self.t = dynamicsymbols._t
        coordinates = [entry["name"] for entry in document["coordinates"]]
        self.coordinates = [dynamicsymbols(name) for name in coordinates]
        self.states = [dynamicsymbols(name) for name in document["states"]]
        self.multipliers = [sympy.Symbol(f"lambda_{entry['name']}") for entry in document["constraints"]]
        self.parameters = [sympy.Symbol(entry["name"]) for entry in document["parameters"]]
        symbols = [*self.parameters, *self.multipliers]
        self.names = dict(zip([*coordinates, *document["states"]], [*self.coordinates, *self.states]))
        self.names |= {symbol.name: symbol for symbol in symbols}
        self.names["t"] = self.t
        self.definitions: dict[str, Any] = {}
        for name, value in zip(definition_names, self.values("definitions")):
            self.definitions[name] = self.names[name] = value

    def name(self, name: str, primes: int) -> Any:
        try:
            found = self.names[name]
        except KeyError:
            raise MotionError(f"the equations use `{name}`, which they do not explain") from None
        return found.diff(self.t, primes) if primes else found

    def values(self, name: str) -> Iterator[Any]:
        """The entries of a function one after the other, so that a definition may use those before it."""
        from ._formula_reader import read

        function = self.functions.get(name, {"entries": ()})
        computed: list[Any] = []
        for at, entry in enumerate(function["entries"]):
            if entry["equation"] is None:
                # too long to be written out: its operations say the same
                computed = computed or self.computed(function["program"])
                yield computed[at]
            else:
                yield read(entry["equation"], self.name)

    def computed(self, program: dict[str, Any]) -> list[Any]:
        """What the operations of a program lead to."""
        from ._operations import applied

        velocities = [coordinate.diff(self.t) for coordinate in self.coordinates]
        groups = {
            "t": [self.t],
            "q": self.coordinates,
            "v": velocities,
            "states": self.states,
            "accelerations": [velocity.diff(self.t) for velocity in velocities],
            "multipliers": self.multipliers,
            "parameters": self.parameters,
        }
        values = [value for group in program["inputs"] for value in groups[group["name"]]]
        return applied(program, values)

    def matrix(self, name: str, rows: int, columns: int = 1) -> Any:
        import sympy

        matrix = sympy.zeros(rows, columns)
        function = self.functions.get(name)
        for entry, value in zip(function["entries"] if function else (), self.values(name)):
            row, column = (*entry["place"], 0)[:2]
            matrix[row, column] = value
            if function and function["symmetric"]:
                matrix[column, row] = value
        return matrix

    def equations(self) -> Equations:
        import sympy

        n, m = len(self.coordinates), len(self.multipliers)
        column = sympy.Matrix(n, 1, self.coordinates)
        described = self.document["parameters"]
        return Equations(
            title=self.document["title"],
            t=self.t,
            coordinates=column,
            velocities=column.diff(self.t),
            states=sympy.Matrix(len(self.states), 1, self.states),
            multipliers=sympy.Matrix(m, 1, self.multipliers),
            parameters={symbol: entry["value"] for symbol, entry in zip(self.parameters, described)},
            formulas={
                symbol: self.formula(entry["formula"])
                for symbol, entry in zip(self.parameters, described)
                if entry["formula"]
            },
            definitions=self.definitions,
            mass_matrix=self.matrix("mass_matrix", n, n),
            forces=self.matrix("forces", n),
            constraints=self.matrix("constraints", m),
            constraint_jacobian=self.matrix("constraint_jacobian", m, n),
            constraint_rate=self.matrix("constraint_rate", m),
            constraint_gamma=self.matrix("constraint_gamma", m),
            state_rates=self.matrix("state_rates", len(self.states)),
            kinetic=next(self.values("kinetic"), sympy.Integer(0)),
            potential=next(self.values("potential"), sympy.Integer(0)),
        )

    def formula(self, text: str) -> Any:
        from ._formula_reader import read

        return read(text, self.name)
