"""Named columns of one length: what runs, events, answers and sweeps consist of."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._display import table_html
from .errors import UnknownColumnError

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

__all__ = ["Array", "Column", "Table"]

Array = NDArray[np.float64]
Column = Any
"""Numbers as an array that cannot be written, words as a list."""


class Table(Mapping[str, Column]):
    """Named columns of one length, in order; a mapping from names to arrays.

    >>> import catena
    >>> table = catena.load("single-pendulum").run(t_end=1.0).table
    >>> table["t"][-1]
    np.float64(1.0)
    >>> table.units["t"]
    's'
    """

    def __init__(self, columns: Mapping[str, Column], units: Mapping[str, str]) -> None:
        self._columns = dict(columns)
        self.units = dict(units)
        """What the columns are measured in; empty for pure numbers, words, and where the model does not say."""

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except (KeyError, TypeError):
            raise unknown_column(name, self._columns) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """The length of the columns."""
        return next((len(column) for column in self._columns.values()), 0)

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas DataFrame, a row for each row; units are in `.attrs["units"]`."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> polars.DataFrame:
        """As a polars DataFrame."""
        import polars

        return polars.DataFrame(self._columns)

    def to_xarray(self) -> xarray.Dataset:
        """As an xarray Dataset along its first column; units are attributes."""
        import xarray

        first = next(iter(self._columns), "row")
        variables = {
            name: xarray.DataArray(column, dims=[first], attrs={"units": self.units[name]} if self.units[name] else {})
            for name, column in self._columns.items()
            if name != first
        }
        return xarray.Dataset(variables, coords={first: self._columns.get(first, [])})

    def __repr__(self) -> str:
        return f"<Table: {self.rows} rows of {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        shown = min(self.rows, 10)
        head = [f"{name}, {self.units[name]}" if self.units.get(name) else name for name in self]
        rows = [[cell(column[row]) for column in self.values()] for row in range(shown)]
        more = f"<p>{self.rows - shown} more rows</p>" if self.rows > shown else ""
        return table_html(head, rows) + more


def cell(value: Any) -> str:
    """A value in a few characters."""
    return value if isinstance(value, str) else f"{value:.6g}"


def unknown_column(name: Any, known: Mapping[str, Column]) -> UnknownColumnError:
    """There is no such column; which one may be meant."""
    near = difflib.get_close_matches(str(name), list(known), 1)
    help = f"did you mean `{near[0]}`?" if near else f"columns: {', '.join(known)}"
    return UnknownColumnError(f"there is no column `{name}`", help)
