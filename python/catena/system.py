"""Systems written in Python: coordinates, energies and constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._keywords import checked
from ._toml import Flag, Formula, FormulaLike, NameLike, Text, Value, name_of
from .builder import Builder
from .errors import RequestError

__all__ = ["System"]


class System(Builder):
    """A system of coordinates, energies and constraints, written step by step.

    >>> import catena
    >>> pendulum = catena.System("Pendulum")
    >>> pendulum.parameters(m=1.0, l="400 mm", g=9.81)
    >>> theta = pendulum.coordinate("theta", "angle from the downward vertical")
    >>> pendulum.kinetic(f"1/2*m*l^2*{theta}'^2")
    >>> pendulum.potential("-m*g*l*cos(theta)")
    >>> pendulum.initial(theta="60 deg")
    >>> run = pendulum.model().run(t_end=2.0)
    >>> print(pendulum.to_toml())
    title = "Pendulum"
    <BLANKLINE>
    [parameters]
    m = 1.0
    l = "400 mm"
    g = 9.81
    <BLANKLINE>
    [coordinates]
    theta = "angle from the downward vertical"
    <BLANKLINE>
    [energy]
    kinetic = "1/2*m*l^2*theta'^2"
    potential = "-m*g*l*cos(theta)"
    <BLANKLINE>
    [initial]
    theta = "60 deg"
    <BLANKLINE>

    The same with SymPy:

    >>> import sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> m, l, g = sympy.symbols("m l g")
    >>> q = dynamicsymbols("theta")
    >>> other = catena.System("Pendulum")
    >>> other.parameters({m: 1, l: sympy.Rational(2, 5), g: 9.81})
    >>> other.coordinate(q)
    'theta'
    >>> other.kinetic(m * l**2 * q.diff() ** 2 / 2)
    >>> other.potential(-m * g * l * sympy.cos(q))
    >>> other.initial({q: sympy.pi / 3})
    >>> bool(abs(other.model().run(t_end=2.0)["theta"] - run["theta"]).max() < 1e-9)
    True
    """

    @checked
    def coordinate(self, name: NameLike, text: str = "", *, angle: bool | None = None) -> str:
        """A coordinate and what it measures.

        `angle`: whether a full turn changes nothing; found from the equations unless given.
        """
        if angle is None:
            return self._set("coordinates", "the coordinate", name, Text(text))
        return self._set("coordinates", "the coordinate", name, {"text": Text(text), "angle": Flag(angle)})

    def kinetic(self, formula: FormulaLike) -> None:
        """The kinetic energy, J."""
        self._set("energy", "the energy", "kinetic", Formula(formula))

    def potential(self, formula: FormulaLike) -> None:
        """The potential energy, J; 0 if it is not given."""
        self._set("energy", "the energy", "potential", Formula(formula))

    def dissipation(self, formula: FormulaLike) -> None:
        """Rayleigh's function D, W: the forces are −∂D/∂v."""
        self._set("energy", "the energy", "dissipation", Formula(formula))

    def force(self, on: NameLike, formula: FormulaLike) -> None:
        """A generalised force on a coordinate, or on a definition made of coordinates and time."""
        self._set("forces", "the force on", on, Formula(formula))

    @checked
    def chain(
        self,
        links: int,
        *,
        mass: FormulaLike | Sequence[FormulaLike] | None = None,
        length: FormulaLike | Sequence[FormulaLike] | None = None,
        shape: str | None = None,
        friction: FormulaLike | Sequence[FormulaLike] | None = None,
        start: str | Sequence[FormulaLike] | None = None,
        pivot_x: FormulaLike | None = None,
        pivot_y: FormulaLike | None = None,
    ) -> None:
        """A pendulum of many links in the place of coordinates and energies; `theta1`, `theta2`, … are its angles.

        `mass`, `length`, `friction`: one value, or one for each link. `shape`: "rod", uniform, or "bob", a point mass
        at the far end. `start`: "horizontal", "hanging" or the angles. `pivot_x`, `pivot_y`: how the suspension moves.
        """
        keys: dict[str, Any] = {
            "links": Formula(links),
            "mass": one_or_each(mass),
            "length": one_or_each(length),
            "shape": None if shape is None else Text(shape),
            "friction": one_or_each(friction),
            "start": Text(start) if isinstance(start, str) else one_or_each(start),
        }
        for key, value in keys.items():
            if value is not None:
                self._set("chain", "the chain's", key, value)
        for key, formula in {"x": pivot_x, "y": pivot_y}.items():
            if formula is not None:
                self._set("chain.pivot", "the pivot's", key, Formula(formula))

    @classmethod
    def from_lagrangian(
        cls,
        lagrangian: Any,
        coordinates: Iterable[Any],
        *,
        parameters: Mapping[Any, FormulaLike] | None = None,
        constraints: Mapping[str, FormulaLike] | Sequence[FormulaLike] = (),
        dissipation: FormulaLike | None = None,
        forces: Mapping[Any, FormulaLike] | None = None,
        initial: Mapping[Any, FormulaLike] | None = None,
        title: str = "",
    ) -> System:
        """A system from a Lagrangian of SymPy.

        What has no velocity in it becomes the potential energy, all else the kinetic energy: the equations of motion
        are those of the Lagrangian. Constraints without names are called phi1, phi2, …

        >>> import catena, sympy
        >>> from sympy.physics.mechanics import dynamicsymbols
        >>> m, k = sympy.symbols("m k")
        >>> x = dynamicsymbols("x")
        >>> system = catena.System.from_lagrangian(
        ...     m * x.diff() ** 2 / 2 - k * x**2 / 2, [x], parameters={m: 2.0, k: 8.0}, initial={x: 1}
        ... )
        >>> float(system.model().modes()["natural_hz"][0].round(6))
        0.31831
        """
        if not hasattr(lagrangian, "free_symbols"):
            raise RequestError(
                f"the Lagrangian is a SymPy expression, not {lagrangian!r}",
                "a system of texts has `kinetic` and `potential`",
            )
        from ._lagrangian import split

        listed = list(coordinates)
        kinetic, potential = split(lagrangian, listed)
        system = cls(title)
        system.parameters(parameters)
        for coordinate in listed:
            system.coordinate(coordinate)
        system.kinetic(kinetic)
        system.potential(potential)
        if dissipation is not None:
            system.dissipation(dissipation)
        for on, force in (forces or {}).items():
            system.force(on, force)
        named = constraints if isinstance(constraints, Mapping) else {
            f"phi{number}": constraint for number, constraint in enumerate(constraints, 1)
        }  # fmt: skip
        for name, constraint in named.items():
            system.constraint(name_of(name), constraint)
        system.initial(initial)
        return system


def one_or_each(values: Any) -> Value | list[Any] | None:
    """A value for all links, or a list with one for each, or nothing."""
    if values is None:
        return None
    is_list = isinstance(values, (list, tuple)) or getattr(values, "ndim", 0) == 1
    return [Formula(one) for one in values] if is_list else Formula(values)
