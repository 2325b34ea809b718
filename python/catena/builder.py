"""What systems of energies and mechanisms of bodies have in common when they are written in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ._keywords import checked
from ._toml import Entries, Flag, Formula, FormulaLike, NameLike, Position, Text, Value, entry, key_of, name_of
from .errors import RequestError
from .model import Model

__all__ = ["Builder"]

# the order in which the sections of a model file are read best
SECTIONS = (
    "sizes", "parameters", "chain", "chain.pivot", "coordinates", "ground", "body", "joint", "spring",
    "torsion-spring", "force", "torque", "motor", "definitions", "energy", "forces", "states", "constraints",
    "initial", "guess", "events", "outputs", "draw", "run",
)  # fmt: skip


class Builder:
    """A model that is being written; `to_toml` is its model file, `model` reads it.

    Values are numbers, formulas in texts, or SymPy expressions; names are texts, or symbols and functions of time of
    SymPy. What a method names is returned as a text, to be used in formulas.
    """

    def __init__(self, title: str = "", description: str = "") -> None:
        self.title = title
        """A text for people."""
        self.description = description
        """A longer one."""
        self._sections: dict[str, Entries] = {}
        self._items: dict[str, list[Entries]] = {}

    def _set(self, section: str, what: str, name: NameLike, value: Value | list[Any] | Mapping[str, Any]) -> str:
        """Writes an entry; each name stands once in its section."""
        text = name_of(name)
        if text in self._sections.get(section, {}):
            raise RequestError(
                f"{what} `{text}` has been given already", "each stands once; `Model.set` changes values"
            )
        entry(text, value)  # what cannot be written is refused here, not later
        self._sections.setdefault(section, {})[text] = value
        return text

    def parameter(self, name: NameLike, value: FormulaLike) -> str:
        """A constant, which may use the ones before it: `Model.set` changes it without deriving again."""
        return self._set("parameters", "the parameter", name, Formula(value))

    def parameters(self, values: Mapping[Any, FormulaLike] | None = None, /, **more: FormulaLike) -> None:
        """Several constants: `parameters(m=1.0, l="200 mm")`."""
        for name, value in [*(values or {}).items(), *more.items()]:
            self.parameter(name, value)

    def definition(self, name: NameLike, formula: FormulaLike) -> str:
        """A named formula of coordinates, velocities, states, time and earlier definitions; `name'` is its rate."""
        return self._set("definitions", "the definition", name, Formula(formula))

    def state(self, name: NameLike, rate: FormulaLike) -> str:
        """A first-order state by its rate: the current of a motor, a controller's memory."""
        return self._set("states", "the state", name, Formula(rate))

    def constraint(self, name: NameLike, formula: FormulaLike) -> str:
        """A formula of coordinates and time that stays 0, or an equation of SymPy. Its multiplier is `lambda_NAME`."""
        if type(formula).__name__ == "Equality":
            formula = formula.lhs - formula.rhs
        return self._set("constraints", "the constraint", name, Formula(formula))

    def initial(self, values: Mapping[Any, FormulaLike] | None = None, /, **more: FormulaLike) -> None:
        """Values at the start that are kept; velocities stand in a dictionary: `initial({"theta'": 2}, theta=0.5)`."""
        for name, value in [*(values or {}).items(), *more.items()]:
            self._set("initial", "the initial value of", name, Formula(value))

    def guess(self, values: Mapping[Any, FormulaLike] | None = None, /, **more: FormulaLike) -> None:
        """Where the assembly begins for what is not given: it chooses the branch."""
        for name, value in [*(values or {}).items(), *more.items()]:
            self._set("guess", "the guess of", name, Formula(value))

    @checked
    def event(
        self, name: NameLike, when: FormulaLike, *, direction: int | None = None, terminal: bool | None = None
    ) -> str:
        """A moment to be recorded, where a formula passes through 0.

        `direction`: 1 where it rises, -1 where it falls, 0 for both. `terminal`: the run ends there.
        """
        if direction not in (None, -1, 0, 1):
            raise RequestError(f"the direction of an event is 1, -1 or 0, not {direction!r}")
        keys: dict[str, Value] = {"when": Formula(when)}
        if direction is not None:
            keys["direction"] = Formula(int(direction))
        if terminal is not None:
            keys["terminal"] = Flag(terminal)
        return self._set("events", "the event", name, keys)

    def output(self, name: NameLike, formula: FormulaLike) -> str:
        """An extra column of runs: a formula of everything, with accelerations `x''` and multipliers `lambda_NAME`."""
        return self._set("outputs", "the output", name, Formula(formula))

    @checked
    def draw(
        self,
        name: str,
        points: Sequence[Sequence[FormulaLike]],
        *,
        as_: str | None = None,
        radius: FormulaLike | None = None,
    ) -> None:
        """What the model looks like: points in the world, each a pair of formulas.

        `as_`: "line" (the default), "bar", "spring", "damper", "disc", "pin", "ground" or "trail".
        `radius`: of a disc, m.
        """
        if isinstance(points, str) or not hasattr(points, "__iter__"):
            raise RequestError(f"the points of `{name}` are pairs, not {points!r}", 'as [("0", "0"), ("x", "y")]')
        listed = [Position(point) for point in points]
        if as_ is None and radius is None:
            self._set("draw", "the drawing", name, list(listed))
            return
        keys: Entries = {} if as_ is None else {"as": Text(as_)}
        keys["points"] = list(listed)
        if radius is not None:
            keys["radius"] = Formula(radius)
        self._set("draw", "the drawing", name, keys)

    @checked
    def run_defaults(
        self,
        *,
        t_end: FormulaLike | None = None,
        t_start: FormulaLike | None = None,
        every: FormulaLike | None = None,
        rtol: FormulaLike | None = None,
        atol: FormulaLike | None = None,
        formulation: str | None = None,
        integrator: str | None = None,
        step: FormulaLike | None = None,
        first_step: FormulaLike | None = None,
        max_step: FormulaLike | None = None,
        max_steps: int | None = None,
    ) -> None:
        """What runs take unless they are told otherwise; all as for `Model.run`."""
        numbers = {
            "t_start": t_start, "t_end": t_end, "every": every, "rtol": rtol, "atol": atol, "step": step,
            "first_step": first_step, "max_step": max_step, "max_steps": max_steps,
        }  # fmt: skip
        for name, word in {"formulation": formulation, "integrator": integrator}.items():
            if word is not None:
                self._set("run", "the default of", name, Text(word))
        for name, number in numbers.items():
            if number is not None:
                self._set("run", "the default of", name, Formula(number))

    def to_toml(self) -> str:
        """The text of the model file."""
        parts = ["\n".join(entry(key, Text(text)) for key, text in self._texts() if text)]
        for section in SECTIONS:
            if section in self._sections:
                lines = [entry(name, value) for name, value in self._sections[section].items()]
                parts.append("\n".join([f"[{section}]", *lines]))
            for item in self._items.get(section, []):
                # a body without points of its own has an empty table of them
                lines = [entry(key, value) for key, value in item.items() if value != {}]
                parts.append("\n".join([f"[[{key_of(section)}]]", *lines]))
        return "\n\n".join(part for part in parts if part) + "\n"

    def _texts(self) -> list[tuple[str, str]]:
        return [("title", self.title), ("description", self.description)]

    def model(self, values: Mapping[str, Any] | None = None, /, **settings: Any) -> Model:
        """Reads what was written, with some values changed; problems name the line of `to_toml()`."""
        name = re.sub(r"\W+", "-", self.title.lower()).strip("-") or "model"
        return Model.from_toml(self.to_toml(), values, name=name, **settings)

    def __str__(self) -> str:
        return self.to_toml()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r}>"
