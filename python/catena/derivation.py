"""The equations of motion and how they come about."""

from __future__ import annotations

import functools
import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .equations import Equations
    from .model import Model

__all__ = ["Derivation"]

MAX_OPEN_MATHML = 12_000
"""Characters of MathML of a step that a notebook shows unfolded: about a page."""
MAX_SHOWN_MATHML = 150_000
"""Characters of MathML of a step beyond which a notebook does not show its formulas."""


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
        return "".join(step_html(step) for step in self.steps)


def step_html(step: dict[str, Any]) -> str:
    """A step with its formulas; long ones are folded, and those beyond reading are left to files."""
    length = sum(len(statement["mathml"]) for statement in step["statements"])
    if length > MAX_SHOWN_MATHML:
        statements = f"<p>{len(step['statements'])} formulas, too long to be shown: `.latex()` and `print` have them.</p>"
    else:
        statements = "".join(statement_html(statement) for statement in step["statements"])
    heading = f"{step['number']}. {html.escape(step['title'])}"
    return (
        f'<details style="margin:0.6em 0"{" open" if length <= MAX_OPEN_MATHML else ""}>'
        f'<summary style="font-weight:600;cursor:pointer">{heading}</summary>'
        f"<p>{html.escape(step['explanation'])}</p>{statements}</details>"
    )


def statement_html(statement: dict[str, Any]) -> str:
    """A formula with the words before it; it scrolls where it is wider than the page."""
    intro = f'<p style="margin:0.5em 0 0">{html.escape(statement["intro"])}</p>' if statement["intro"] else ""
    return f'{intro}<div style="overflow-x:auto;padding:0.3em 0">{statement["mathml"]}</div>'
