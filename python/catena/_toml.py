"""Values of Python as model files write them."""

from __future__ import annotations

import numbers
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from ._texts import text_of
from .errors import RequestError

__all__ = [
    "Entries",
    "Flag",
    "Formula",
    "FormulaLike",
    "NameLike",
    "Position",
    "Text",
    "Value",
    "entry",
    "key_of",
    "name_of",
]

FormulaLike = Any
"""A number, a formula in a text, or a SymPy expression."""
NameLike = Any
"""A text, or a symbol or a function of time of SymPy."""


class Value:
    """What stands behind a key."""

    def written(self, key: str) -> str:
        """As the file has it; the key is for messages."""
        raise NotImplementedError


class Text(Value):
    """A text for people, or the name of something."""

    def __init__(self, text: Any) -> None:
        self.text = text

    def written(self, key: str) -> str:
        if not isinstance(self.text, str):
            raise RequestError(f"`{key}` is a text, not {self.text!r}", f'write {key}="..."')
        return quoted(self.text)


class Flag(Value):
    """True or false."""

    def __init__(self, flag: Any) -> None:
        self.flag = flag

    def written(self, key: str) -> str:
        if not isinstance(self.flag, (bool, np.bool_)):
            raise RequestError(f"`{key}` is True or False, not {self.flag!r}")
        return "true" if self.flag else "false"


class Formula(Value):
    """A number, a formula in a text or a SymPy expression."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def written(self, key: str) -> str:
        value = self.value
        if isinstance(value, (bool, np.bool_)):
            raise RequestError(f"`{key}` is a number or a formula, not {value!r}")
        if isinstance(value, str):
            # a formula may run over several lines of Python
            return quoted(" ".join(value.split()) if "\n" in value else value)
        # SymPy counts its numbers among those of Python
        if isinstance(value, Decimal) and value.is_finite():
            return quoted(str(value))
        is_fraction = isinstance(value, numbers.Rational) and not isinstance(value, numbers.Integral)
        if is_fraction and not hasattr(value, "free_symbols"):
            return quoted(f"{value.numerator}/{value.denominator}")
        text = text_of(key, value)
        return quoted(text) if hasattr(value, "free_symbols") else text


class Position(Value):
    """Two numbers or formulas: x and y."""

    def __init__(self, pair: Any) -> None:
        self.pair = pair

    def written(self, key: str) -> str:
        pair = self.pair
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise RequestError(f"`{key}` is a pair, not {pair!r}", "give two numbers or formulas: (x, y)")
        return f"[{', '.join(Formula(one).written(key) for one in pair)}]"


Entries = dict[str, "Value | list[Any] | Mapping[str, Any]"]
"""Keys and what stands behind them, in order."""


def quoted(text: str) -> str:
    """A text in quotes; a formula stays as it is, so that problems can point into it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'


def key_of(name: str) -> str:
    """A key as it is written: in quotes where it is not a plain word."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)


def entry(name: str, value: Value | list[Any] | Mapping[str, Any]) -> str:
    """One line: `name = value`."""
    return f"{key_of(name)} = {written(name, value)}"


def written(name: str, value: Value | list[Any] | Mapping[str, Any]) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(entry(key, inner) for key, inner in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(written(name, one) for one in value)}]"
    return value.written(name)


def name_of(name: Any) -> str:
    """The name of something: a text, or a symbol or function of time of SymPy."""
    if isinstance(name, str):
        return name
    if hasattr(name, "free_symbols"):
        from ._formula_writer import name_of

        return name_of(name)
    raise RequestError(f"{name!r} is not a name", "give a text or a symbol of SymPy")
