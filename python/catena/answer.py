"""The answer to a question."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _core
from ._catalogue import catalogue
from ._display import words_html
from ._table import Column, Table
from ._texts import option_pairs
from ._version import check_version
from .run import Picture

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

__all__ = ["Answer"]


class Answer:
    """The answer to a question: facts, a table, words and a picture.

    >>> import catena
    >>> modes = catena.load("double-pendulum").modes()
    >>> modes["natural_hz"].shape
    (2,)
    >>> modes.units["natural_hz"]
    'Hz'
    """

    def __init__(self, core: _core.Answer) -> None:
        self.question: str = core.question
        """The name of the question."""
        self.title: str = core.title
        """What it is about."""
        self.table = Table(core.columns(), core.units())
        """What was found, by columns."""
        self.words: str = core.words()
        """What was found, for people."""
        self.shortfall: str | None = core.shortfall
        """What is missing of the answer, if something is."""
        self.text: str | None = core.text()
        """A file that goes with it, as the model file of a linear model."""
        self._json = core.to_json()
        self._picture = core.picture

    @functools.cached_property
    def facts(self) -> dict[str, Any]:
        """What was found, with the settings that it was found with: the object that `--json` prints."""
        facts: dict[str, Any] = json.loads(self._json)
        return facts

    @property
    def result(self) -> Any:
        """The heart of the facts."""
        return self.facts["result"]

    @property
    def error_estimate(self) -> float | None:
        """How wrong the numbers may be, where that is known."""
        error: float | None = self.facts.get("error_estimate")
        return error

    def __getitem__(self, name: str) -> Column:
        return self.table[name]

    def __contains__(self, name: object) -> bool:
        return name in self.table

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    @property
    def units(self) -> dict[str, str]:
        """What the columns are measured in."""
        return self.table.units

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame."""
        return self.table.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars DataFrame."""
        return self.table.to_polars()

    def to_xarray(self) -> xarray.Dataset:
        """The table as an xarray Dataset along its first column."""
        return self.table.to_xarray()

    def plot(self, **style: Any) -> Picture:
        """The picture of the answer; keywords as for `Run.plot`."""
        pairs = option_pairs(style, {row["key"]: row["kind"] for row in catalogue()["plotOptions"]})
        return Picture(lambda ending: self._picture(ending, pairs))

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return f"<Answer to {self.question} of {self.title}: {self.table.rows} rows of {', '.join(self.table)}>"

    def _repr_html_(self) -> str:
        return words_html(self.words) + self.plot()._repr_html_()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture of the answer."""
        self.plot().save(path)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        svg = self.plot().svg
        state["_picture"] = functools.partial(kept_picture, svg)
        state["version"] = _core.version()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_version("an answer", state.pop("version", None))
        self.__dict__.update(state)


def kept_picture(svg: str, ending: str, style: list[tuple[str, str]]) -> bytes:
    """The picture of an answer that was pickled, which is all that is left of it."""
    from .errors import RequestError

    if ending != "svg" or style:
        raise RequestError("only the SVG of an answer is kept when it is pickled", "ask the question again")
    return svg.encode()
