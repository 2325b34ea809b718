"""What an examination of a model found."""

from __future__ import annotations

import html
import re
from typing import Any

from ._display import table_html
from ._table import cell

__all__ = ["Diagnosis"]

ASSEMBLY_NOISE = 1e-12
"""Below it a position or a rate at the start is shown as zero, m, rad, m/s and rad/s."""

HEAD = ["at the start", "value", "", "rate"]


class Diagnosis(dict[str, Any]):
    """What an examination of a model found: a dictionary that says it in words, too.

    >>> import catena
    >>> found = catena.load("four-bar").check()
    >>> found["freedom_by_rank"], found.can_run
    (1, True)
    >>> print(found)  # doctest: +ELLIPSIS
    Four-bar linkage
    9 coordinates, 8 constraints, 0 first-order states
    1 degree of freedom by the rank of the constraints, 1 by count
    ...
    The model can run.
    """

    @property
    def can_run(self) -> bool:
        """Whether the model can be moved."""
        return bool(self["can_run"])

    @property
    def warnings(self) -> list[str]:
        """What is wrong or looks wrong, a sentence each."""
        return [finding["message"] for finding in self["findings"]]

    def _counts(self) -> str:
        kinds = {"coordinates": "coordinate", "constraints": "constraint", "states": "first-order state"}
        counts = ", ".join(f"{self[key]} {what}{'' if self[key] == 1 else 's'}" for key, what in kinds.items())
        freedom = self["freedom_by_rank"]
        degrees = f"{freedom} degree{'' if freedom == 1 else 's'} of freedom by the rank of the constraints"
        return f"{counts}\n{degrees}, {self['freedom_by_count']} by count"

    def _end(self) -> str:
        return "The model can run." if self.can_run else "The model cannot run."

    def _start(self) -> list[list[str]]:
        rows = []
        for value in self["start"]["values"] if self["start"] else []:
            degrees = "" if value["degrees"] is None else f"{value['degrees']:.4f}°"
            position = f"{tidy(value['value'])} {value['unit']}".strip()
            rows.append([value["name"], position, degrees, f"{tidy(value['rate'])} {value['rate_unit']}".strip()])
        return rows

    def __str__(self) -> str:
        lines = [self["title"], self._counts()]
        start = self._start()
        if start:
            widths = [max(len(row[column]) for row in start) for column in range(len(HEAD))]
            lines.append("start:")
            for name, *numbers in start:
                aligned = [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True)]
                lines.append("  ".join(["", name.ljust(widths[0]), *aligned]).rstrip())
        for finding in self["findings"]:
            lines.append(f"{severity(finding)}: {finding['message']}")
            if finding["help"]:
                lines.append(f"  help: {finding['help']}")
        lines += [f"note: {note}" for note in self["notes"]]
        return "\n".join([*lines, self._end()])

    def _repr_html_(self) -> str:
        parts = [f"<p>{html.escape(self._counts())}</p>".replace("\n", "<br>")]
        start = self._start()
        if start:
            parts.append(table_html(HEAD, start))
        for finding in self["findings"]:
            message, help = with_names(finding["message"]), with_names(finding["help"] or "")
            parts.append(f"<p><strong>{severity(finding)}</strong>: {message}<br><em>{help}</em></p>")
        parts += [f"<p>note: {with_names(note)}</p>" for note in self["notes"]]
        return "".join([*parts, f"<p>{self._end()}</p>"])


def tidy(value: float) -> str:
    """A value in a few characters; what an assembly leaves of zero is zero."""
    return cell(0.0 if abs(value) < ASSEMBLY_NOISE else value)


def with_names(text: str) -> str:
    """A sentence as HTML, with the names in it set apart."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(text))


def severity(finding: dict[str, Any]) -> str:
    """What a finding is called: one that stops a model is an error."""
    return "warning" if finding["can_run"] else "error"
