"""The equations of motion and how they come about."""

from __future__ import annotations

import functools
import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .equations import Equations
    from .model import Model

__all__ = ["Derivation"]


class Derivation:
    """The equations of motion, step by step; a notebook shows them set.

    >>> import catena
    >>> derivation = catena.load("single-pendulum").derive()
    >>> print(derivation.steps[0]["title"])
    What is given
    """

    def __init__(self, model: Model, coordinates: str | None) -> None:
        self._model = model
        self._coordinates = {"coordinates": coordinates} if coordinates else {}
        self._reply = model._request(do="derive", **self._coordinates)

    @property
    def title(self) -> str:
        """What they are of."""
        return str(self._reply["title"])

    @property
    def steps(self) -> list[dict[str, Any]]:
        """Every step: number, title, explanation, and statements as text, LaTeX and MathML."""
        steps: list[dict[str, Any]] = self._reply["steps"]
        return steps

    @property
    def check(self) -> dict[str, Any] | None:
        """How well the equations agree with numbers from an independent way, at random states."""
        check: dict[str, Any] | None = self._reply["check"]
        return check

    def latex(self) -> str:
        """All steps as LaTeX."""
        return str(self._reply["latex"])

    def to_sympy(self) -> Equations:
        """The equations as SymPy matrices, with functions of time as `sympy.physics.mechanics` has them.

        >>> import catena
        >>> catena.load("single-pendulum").derive().to_sympy().constraint_jacobian
        Matrix([
        [1, 0, -l*cos(theta(t))/2],
        [0, 1, -l*sin(theta(t))/2]])
        """
        from .equations import equations_of

        return equations_of(self._file("model", "json"), self._file("model", "python"))

    def _file(self, of: str, ending: str) -> str:
        from ._catalogue import request
        from ._texts import setting_pairs

        model = {"name": self._model.name, "text": self._model.text}
        settings = dict(setting_pairs(self._model._settings))
        made = request(do="file", **{"as": ending}, of={"do": of, "model": model, "set": settings, **self._coordinates})
        return str(made["text"])

    @functools.cached_property
    def _text(self) -> str:
        return self._file("derive", "txt")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Derivation of {self.title}: {len(self.steps)} steps>"

    def _repr_html_(self) -> str:
        parts = []
        for step in self.steps:
            statements = "".join(
                f"<p>{html.escape(statement['intro'])}</p>{statement['mathml']}" for statement in step["statements"]
            )
            heading = html.escape(f"{step['number']}. {step['title']}")
            explanation = html.escape(step["explanation"])
            parts.append(f"<details open><summary>{heading}</summary><p>{explanation}</p>{statements}</details>")
        return "".join(parts)
