"""The equations of motion and how they come about."""

from __future__ import annotations

import functools
import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

    @functools.cached_property
    def _text(self) -> str:
        of = {"do": "derive", "model": {"name": self._model.name, "text": self._model.text}, **self._coordinates}
        from ._catalogue import request
        from ._texts import setting_pairs

        of["set"] = dict(setting_pairs(self._model._settings))
        return str(request(do="file", **{"as": "txt"}, of=of)["text"])

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
