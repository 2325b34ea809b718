"""A line that says how far long work is: tqdm's where that is installed, else one of our own."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

__all__ = ["Progress", "ProgressBar"]

Progress = bool | Callable[[float], object] | None
"""True shows a bar, False none, None one if somebody looks and the work is long; a function is told the part from 0 to 1."""

LONG = 1.0
"""Work of this many seconds has a bar unasked."""


class ProgressBar:
    """Tells a person or a function how far the work is."""

    def __init__(self, what: str, wanted: Progress) -> None:
        self.what = what
        self.wanted = wanted
        self.began = time.monotonic()
        self.bar: Any = None
        self.shown = False

    def __enter__(self) -> Callable[[float], object] | None:
        if callable(self.wanted):
            return self.wanted
        if self.wanted or (self.wanted is None and somebody_looks()):
            return self.tell
        return None

    def tell(self, part: float) -> None:
        if self.wanted is None and not self.shown and time.monotonic() - self.began < LONG:
            return
        if not self.shown:
            self.shown = True
            self.bar = self._made()
        if isinstance(self.bar, (NotebookLine, TerminalLine)):
            self.bar.say(f"{self.what}: {100 * part:3.0f} % after {time.monotonic() - self.began:.0f} s")
        else:
            self.bar.update(100 * part - self.bar.n)

    def _made(self) -> Any:
        bar = bar_of_tqdm(self.what)
        if bar is not None:
            return bar
        return NotebookLine() if in_notebook() else TerminalLine()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.close()


class TerminalLine:
    """A line of the terminal that is written over and vanishes in the end."""

    def say(self, text: str) -> None:
        print(f"\r{text} ", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


class NotebookLine:
    """An output of a cell that is replaced, and empty in the end: files of notebooks do not keep it."""

    def __init__(self) -> None:
        self.output: Any = None

    def say(self, text: str) -> None:
        self._show({"text/plain": text})

    def close(self) -> None:
        self._show({"text/plain": "", "text/html": ""})

    def _show(self, data: dict[str, str]) -> None:
        from IPython.display import display

        if self.output is None:
            self.output = display(data, raw=True, display_id=True)
        else:
            self.output.update(data, raw=True)


def bar_of_tqdm(what: str) -> Any:
    """The bar of tqdm, where that is installed; in notebooks it needs ipywidgets."""
    if in_notebook() and importlib.util.find_spec("ipywidgets") is None:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=100, desc=what, unit="%", leave=False)


def in_notebook() -> bool:
    """Whether cells of a notebook are executed here."""
    return "ipykernel" in sys.modules


def somebody_looks() -> bool:
    """Whether this is a notebook or a terminal."""
    return in_notebook() or sys.stderr.isatty()
