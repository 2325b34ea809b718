"""A line that says how far long work is: tqdm's where that is installed, else one of our own."""

from __future__ import annotations

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
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(total=100, desc=self.what, unit="%", leave=False)
            except ImportError:
                pass
        if self.bar is not None:
            self.bar.update(100 * part - self.bar.n)
        else:
            seconds = time.monotonic() - self.began
            print(f"\r{self.what}: {100 * part:3.0f} % after {seconds:.0f} s ", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.shown:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


def somebody_looks() -> bool:
    """Whether this is a notebook or a terminal."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()
