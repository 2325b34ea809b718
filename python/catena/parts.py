"""The parts of a mechanism: bodies, their points, joints, and what acts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._nearest import did_you_mean
from ._toml import Entries, FormulaLike, Position
from .errors import RequestError

if TYPE_CHECKING:
    from .mechanism import Mechanism

__all__ = ["Body", "Ground", "Part", "Point"]


class Part:
    """A joint, a spring, a force, a torque or a motor. As a text it is its name: `f"{coil}_force"` is a column."""

    def __init__(self, mechanism: Mechanism, kind: str, name: str) -> None:
        self.mechanism = mechanism
        """What it is a part of."""
        self.kind = kind
        """The type of a joint, or what else it is."""
        self.name = name
        """Columns and definitions begin with it."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Point(Part):
    """A point of a body or of the ground; `x` and `y` are its positions in formulas."""

    def __init__(self, mechanism: Mechanism, body: str, point: str) -> None:
        super().__init__(mechanism, "point", f"{body}_{point}")
        self.end = f"{body}.{point}"
        """As joints name it."""

    @property
    def x(self) -> str:
        """Its position along x of the world, to be used in formulas."""
        return f"{self.name}_x"

    @property
    def y(self) -> str:
        """Its position along y of the world, to be used in formulas."""
        return f"{self.name}_y"


class Ground(Part):
    """The fixed world and its named points."""

    def __init__(self, mechanism: Mechanism, points: Entries) -> None:
        super().__init__(mechanism, "ground", "ground")
        self.end = "ground"
        """As joints name it."""
        self._points = points

    def point(self, name: str, x: FormulaLike, y: FormulaLike) -> Point:
        """Names a point, m."""
        if name in self._points:
            raise RequestError(f"{self.described()} has a point `{name}` already")
        position = Position((x, y))
        position.written(name)
        self._points[name] = position
        return self[name]

    def described(self) -> str:
        """As sentences call it."""
        return "the ground"

    def known(self) -> list[str]:
        """The names of its points."""
        return list(self._points)

    def __getitem__(self, point: str) -> Point:
        known = self.known()
        if point not in known:
            raise RequestError(f"{self.described()} has no point `{point}`", did_you_mean(str(point), known, "points"))
        return Point(self.mechanism, self.name, point)

    def __iter__(self) -> Any:
        raise TypeError(f"{self.described()} is not a list; its points: {', '.join(self.known())}")


class Body(Ground):
    """A rigid body; where it stands in a joint without a point, its centre of mass is meant.

    `body["A"]` is one of its points, `x`, `y` and `angle` are its coordinates, to be used in formulas.
    """

    def __init__(self, mechanism: Mechanism, name: str, points: Entries, has_length: bool) -> None:
        super().__init__(mechanism, points)
        self.kind, self.name, self.end = "body", name, name
        self._has_length = has_length

    def described(self) -> str:
        return f"the body `{self.name}`"

    def known(self) -> list[str]:
        return [*(["A", "B"] if self._has_length else []), *self._points]

    def copy(self, number: int | str) -> Body:
        """One of the copies of a body with `repeat`: `copy(1)`, `copy("i+1")`, `copy("n")`."""
        if "{i}" not in self.name:
            raise RequestError(
                f"{self.described()} has no copies", 'one with repeat="n" is called, for instance, "rod{i}"'
            )
        text = str(number) if isinstance(number, int) else f"{{{number}}}"
        return Body(self.mechanism, self.name.replace("{i}", text), self._points, self._has_length)

    @property
    def x(self) -> str:
        """The position of its centre of mass along x."""
        return f"{self.name}_x"

    @property
    def y(self) -> str:
        """The position of its centre of mass along y."""
        return f"{self.name}_y"

    @property
    def angle(self) -> str:
        """Its angle from the x axis of the world, counter-clockwise."""
        return f"{self.name}_angle"
