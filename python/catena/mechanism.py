"""Mechanisms written in Python: bodies, joints, and what acts on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._keywords import checked
from ._toml import Entries, Flag, Formula, FormulaLike, NameLike, Position, Text, Value, entry
from .builder import Builder
from .errors import RequestError
from .parts import Body, Ground, Part, Point

__all__ = ["Mechanism"]

End = Any
"""A point of a body or of the ground, a body (its centre of mass), (x, y) on the ground, or a text: "crank.B"."""
Count = int | str
"""A whole number, or a formula of sizes."""


class Mechanism(Builder):
    """A planar mechanism, written as it is built.

    Ends of joints are points, as `crank["B"]`, bodies (their centres of mass), or pairs (x, y) on the ground. The force
    of a joint is that on its second end.

    >>> import catena
    >>> linkage = catena.Mechanism("Four-bar linkage")
    >>> ground = linkage.ground
    >>> O, D = ground.point("O", 0, 0), ground.point("D", 1.0, 0)
    >>> crank = linkage.body("crank", mass=1.0, length=0.4)
    >>> coupler = linkage.body("coupler", mass=2.25, length=0.9)
    >>> rocker = linkage.body("rocker", mass=2.0, length=0.8, angle="92 deg")
    >>> pin = linkage.revolute("O", O, crank["A"])
    >>> joint = linkage.revolute("B", crank["B"], coupler["A"])
    >>> joint = linkage.revolute("C", coupler["B"], rocker["B"])
    >>> joint = linkage.revolute("D", D, rocker["A"])
    >>> linkage.initial({crank.angle: "60 deg", f"{crank.angle}'": 0})
    >>> model = linkage.model()
    >>> model.check()["freedom_by_rank"]
    1
    >>> run = model.run(t_end=1.0)
    >>> run[f"{pin}_fy"].shape
    (201,)
    """

    def __init__(self, title: str = "", description: str = "") -> None:
        super().__init__(title, description)
        self.ground = Ground(self, {})
        """The fixed world."""

    def to_toml(self) -> str:
        points = self.ground._points
        self._sections["ground"] = {"points": points}
        if not points:
            del self._sections["ground"]
        return super().to_toml()

    def size(self, name: str, value: int) -> str:
        """A whole number that counts copies: `repeat="n"`, and `{n}` in every text."""
        return self._set("sizes", "the size", name, Formula(value))

    def generalized_force(self, on: NameLike, formula: FormulaLike) -> None:
        """A generalised force on a coordinate of a body, or on a definition made of coordinates and time."""
        self._set("forces", "the force on", on, Formula(formula))

    @checked
    def body(
        self,
        name: str,
        *,
        mass: FormulaLike,
        length: FormulaLike | None = None,
        inertia: FormulaLike | None = None,
        centre: Sequence[FormulaLike] | None = None,
        points: Mapping[str, Sequence[FormulaLike]] | None = None,
        angle: FormulaLike | None = None,
        x: FormulaLike | None = None,
        y: FormulaLike | None = None,
        free: bool | None = None,
        repeat: Count | None = None,
    ) -> Body:
        """A rigid body.

        `mass`: kg. `length`: a uniform rod with the ends A and B, m; without one `inertia` is needed, kg m², about the
        centre of mass. `centre`, `points`: (x, y) in the body's own axes. `angle`, `x`, `y`: where the assembly begins.
        `free`: it is meant not to be joined to the ground. `repeat`: so many copies, with {i} in the name.
        """
        listed: Entries = {point: Position(position) for point, position in (points or {}).items()}
        keys: dict[str, Any] = {
            "mass": Formula(mass),
            "length": formula(length),
            "inertia": formula(inertia),
            "centre": None if centre is None else Position(centre),
            "points": listed,
            "angle": formula(angle),
            "x": formula(x),
            "y": formula(y),
            "free": None if free is None else Flag(free),
        }
        if length is None and inertia is None:
            raise RequestError(
                f"the body `{name}` has neither a length nor an inertia",
                "length=0.4 for a uniform rod, or inertia=0.01 about the centre of mass",
            )
        self._add("body", name, keys, repeat)
        return Body(self, name, listed, length is not None)

    @checked
    def revolute(
        self, name: str, first: End, second: End, *, friction: FormulaLike | None = None, repeat: Count | None = None
    ) -> Part:
        """A pin: the two points stay together. `friction`: viscous, N m s."""
        return self._joint("revolute", name, first, second, repeat, friction=formula(friction))

    @checked
    def prismatic(
        self,
        name: str,
        first: End,
        second: End,
        *,
        axis: Sequence[FormulaLike],
        angle: FormulaLike | None = None,
        friction: FormulaLike | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """A guide: the second body slides along an axis of the first and does not turn against it.

        `angle`: of the second body from the first, rad. `friction`: viscous, N s/m.
        """
        keys = {"axis": Position(axis), "angle": formula(angle), "friction": formula(friction)}
        return self._joint("prismatic", name, first, second, repeat, **keys)

    @checked
    def weld(
        self, name: str, first: End, second: End, *, angle: FormulaLike | None = None, repeat: Count | None = None
    ) -> Part:
        """Two bodies are one. `angle`: of the second from the first, rad."""
        return self._joint("weld", name, first, second, repeat, angle=formula(angle))

    @checked
    def distance(self, name: str, first: End, second: End, *, length: FormulaLike, repeat: Count | None = None) -> Part:
        """A massless rod between two points. `length`: m."""
        return self._joint("distance", name, first, second, repeat, length=formula(length))

    @checked
    def pin_in_slot(
        self,
        name: str,
        first: End,
        second: End,
        *,
        axis: Sequence[FormulaLike],
        friction: FormulaLike | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """The second point stays on a line of the first body. `friction`: viscous, N s/m."""
        keys = {"axis": Position(axis), "friction": formula(friction)}
        return self._joint("pin-in-slot", name, first, second, repeat, **keys)

    @checked
    def gear(
        self,
        name: str,
        first: End,
        second: End,
        *,
        ratio: FormulaLike,
        offset: FormulaLike | None = None,
        carrier: Body | str | None = None,
        pressure_angle: FormulaLike | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """Teeth between two wheels.

        `ratio`: turns of the second for one of the first, negative for outside teeth. `carrier`: the body that holds
        the axles; the ground. `pressure_angle`: with it the bearings get the force of the teeth, rad.
        """
        keys = {
            "ratio": formula(ratio),
            "offset": formula(offset),
            "carrier": self._named_body(carrier),
            "pressure_angle": formula(pressure_angle),
        }
        return self._joint("gear", name, first, second, repeat, **keys)

    @checked
    def rack(
        self,
        name: str,
        first: End,
        second: End,
        *,
        axis: Sequence[FormulaLike],
        radius: FormulaLike,
        offset: FormulaLike | None = None,
        carrier: Body | str | None = None,
        pressure_angle: FormulaLike | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """A pinion and its rack, which moves along an axis of the carrier. `radius`: of the pinion, m."""
        keys = {
            "axis": Position(axis),
            "radius": formula(radius),
            "offset": formula(offset),
            "carrier": self._named_body(carrier),
            "pressure_angle": formula(pressure_angle),
        }
        return self._joint("rack", name, first, second, repeat, **keys)

    @checked
    def cam_follower(
        self,
        name: str,
        first: End,
        second: End,
        *,
        profile: FormulaLike,
        radius: FormulaLike | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """The second point stays on a curve of the first body.

        `profile`: polar radius around the first point, a formula of the angle `phi`. `radius`: of a roller, m.
        """
        keys = {"profile": formula(profile), "radius": formula(radius)}
        return self._joint("cam-follower", name, first, second, repeat, **keys)

    @checked
    def spring(
        self,
        first: End,
        second: End,
        *,
        stiffness: FormulaLike,
        length: FormulaLike | None = None,
        damping: FormulaLike | None = None,
        name: str | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """A spring with a damper. `stiffness`: N/m. `length`: at ease, m; 0. `damping`: N s/m; 0."""
        keys = {"stiffness": formula(stiffness), "length": formula(length), "damping": formula(damping)}
        return self._part("spring", name, repeat, between=self._ends(first, second), **keys)

    @checked
    def torsion_spring(
        self,
        first: Ground | str,
        second: Ground | str,
        *,
        stiffness: FormulaLike,
        angle: FormulaLike | None = None,
        damping: FormulaLike | None = None,
        name: str | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """A spring that turns two bodies, with a damper.

        `stiffness`: N m/rad. `angle`: of the second from the first, at ease, rad; 0. `damping`: N m s; 0.
        """
        keys = {"stiffness": formula(stiffness), "angle": formula(angle), "damping": formula(damping)}
        return self._part("torsion-spring", name, repeat, between=self._ends(first, second), **keys)

    @checked
    def force(
        self,
        on: End,
        *,
        x: FormulaLike | None = None,
        y: FormulaLike | None = None,
        name: str | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """A force at a point, by its components in the axes of the world, N."""
        if x is None and y is None:
            raise RequestError("a force needs its components", "x=..., y=... or both, in the axes of the world")
        return self._part("force", name, repeat, on=self._end(on), x=formula(x), y=formula(y))

    @checked
    def torque(
        self,
        on: Body | str,
        value: FormulaLike,
        *,
        from_: Ground | str | None = None,
        name: str | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """A torque on a body, N m, counter-clockwise. `from_`: the body that gets the opposite; the ground."""
        keys = {"value": formula(value), "from": None if from_ is None else self._end(from_)}
        return self._part("torque", name, repeat, on=self._end(on), **keys)

    @checked
    def motor(
        self,
        joint: Part | str,
        *,
        angle: FormulaLike | None = None,
        position: FormulaLike | None = None,
        name: str | None = None,
        repeat: Count | None = None,
    ) -> Part:
        """Prescribes what a joint does: the angle of a revolute joint, rad, or the position of a prismatic one, m."""
        if (angle is None) == (position is None):
            raise RequestError(
                "a motor prescribes an angle or a position",
                "angle=... of a revolute joint, or position=... of a prismatic one",
            )
        named = Text(self._own(joint).name if isinstance(joint, Part) else joint)
        return self._part("motor", name, repeat, joint=named, angle=formula(angle), position=formula(position))

    def _joint(self, kind: str, name: str, first: End, second: End, repeat: Count | None, **keys: Any) -> Part:
        common = {"type": Text(kind), "between": self._ends(first, second)}
        self._add("joint", name, {**common, **keys}, repeat)
        return Part(self, f"{kind} joint", name)

    def _part(self, section: str, name: str | None, repeat: Count | None, **keys: Any) -> Part:
        if name is None:
            # as the file would call it, so that formulas can
            name = f"{section.replace('-', '_')}{len(self._items.get(section, [])) + 1}"
            name += "_{i}" if repeat is not None else ""
        self._add(section, name, keys, repeat)
        return Part(self, section, name)

    def _add(self, section: str, name: str, keys: Mapping[str, Any], repeat: Count | None) -> None:
        item: Entries = {"name": Text(name)}
        if repeat is not None:
            item["repeat"] = Formula(repeat)
        item |= {key: value for key, value in keys.items() if value is not None}
        for key, value in item.items():
            entry(key, value)
        self._items.setdefault(section, []).append(item)

    def _own(self, part: Any) -> Any:
        if part.mechanism is not self:
            raise RequestError(
                f"{part!r} is a part of another mechanism, {part.mechanism!r}", "join parts of one mechanism"
            )
        return part

    def _end(self, end: End) -> Value:
        if isinstance(end, (Point, Ground)):
            return Text(self._own(end).end)
        if isinstance(end, Part):
            raise RequestError(f"{end!r} has no place of its own", 'give a body, or a point of one: body["A"]')
        if isinstance(end, str):
            return Text(end)
        if hasattr(end, "__len__") and len(end) == 2:
            return Position(end)
        raise RequestError(
            f"{end!r} is neither a body nor a point", 'give body["A"], a body for its centre of mass, or (x, y)'
        )

    def _ends(self, first: End, second: End) -> list[Value]:
        return [self._end(first), self._end(second)]

    def _named_body(self, body: Body | str | None) -> Value | None:
        return None if body is None else Text(self._own(body).name if isinstance(body, Ground) else body)


def formula(value: FormulaLike | None) -> Formula | None:
    """A value that may be left out."""
    return None if value is None else Formula(value)
