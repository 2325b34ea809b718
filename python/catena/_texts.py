"""Values of Python as the texts that options and settings are given by."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import RequestError

__all__ = ["Pairs", "checked_threads", "joined_settings", "option_pairs", "setting_pairs", "text_of"]

Pairs = list[tuple[str, str]]

METHODS = ("formulation", "integrator")
"""Their names are small letters; SciPy writes RK45 and DOP853."""


def text_of(name: str, value: Any) -> str:
    """A number, a text or a switch as text, without losing a digit."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if not math.isfinite(number):
            raise RequestError(f"`{name}` cannot be {number}", "give a finite number")
        return repr(number)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return text_of(name, value.item())
    if hasattr(value, "free_symbols"):
        from .formulas import formula

        return formula(value)
    raise RequestError(
        f"`{name}` cannot be {value!r}, a value of the type `{type(value).__name__}`",
        "give a number or a formula in a string",
    )


def setting_pairs(values: Mapping[str, Any]) -> Pairs:
    """Parameters and initial values; what cannot be a keyword stands in a dictionary: {"theta'": 2}."""
    for name, value in values.items():
        if not isinstance(name, str):
            raise RequestError(f"{name!r} is no name", "names are texts, as in {\"theta'\": 2}")
        if isinstance(value, (bool, np.bool_)):
            raise RequestError(f"`{name}` cannot be {value}", "give a number or a formula in a string")
    return [(name, text_of(name, value)) for name, value in values.items()]


def joined_settings(settings: Mapping[str, Any] | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dictionary and by keyword; no name may be in both."""
    if settings is not None and not isinstance(settings, Mapping):
        raise RequestError(f"{settings!r} is no dictionary of values", "write {\"theta'\": 2}, or keywords")
    for name in settings or ():
        if name in values:
            raise RequestError(f"`{name}` is set twice", "leave out one of the two")
    return {**(settings or {}), **values}


def option_pairs(values: Mapping[str, Any], kinds: Mapping[str, str]) -> Pairs:
    """Options by their keys; None is an option that was left out."""
    pairs: Pairs = []
    for key, value in values.items():
        if value is None:
            continue
        # `from` and `with` are words of Python
        key = key.removesuffix("_")
        many = isinstance(value, (list, tuple, set, frozenset)) or (isinstance(value, np.ndarray) and value.ndim == 1)
        kind = kinds.get(key, "")
        if key == "certify" and value is False:
            # the command line has two switches for what has three values here
            key, value = "no_certify", True
        if isinstance(value, Mapping):
            value = [f"{name}={range_of(name, inner)}" for name, inner in value.items()]
            many = kind == "repeated" or len(value) != 1
            value = value if many else value[0]
        if not many:
            text = text_of(key, value)
            pairs.append((key, text.lower() if key in METHODS else text))
        elif kind == "repeated":
            pairs.extend((key, text_of(key, one)) for one in value)
        elif kind in ("words", "numbers"):
            pairs.append((key, ",".join(text_of(key, one) for one in value)))
        else:
            raise RequestError(f"`{key}` takes one value, not {len(value)}", "give a number or a text")
    return pairs


def range_of(name: str, values: Any) -> str:
    """The values of an axis: a text as on the command line, (from, to, count), (from, to, count, "log"), or the values."""
    if isinstance(values, str) or np.ndim(values) == 0:
        return text_of(name, values)
    if isinstance(values, tuple) and len(values) == 2:
        # from where to where, for what finds its own steps
        return ":".join(text_of(name, part) for part in values)
    is_range = isinstance(values, tuple) and len(values) > 2 and isinstance(values[2], (int, np.integer))
    if is_range and values[3:] in ((), ("log",)):
        return ":".join(text_of(name, part) for part in values)
    if isinstance(values, tuple):
        raise RequestError(
            f"`{name}` cannot be {values!r}", "a tuple is (from, to, count); a list has the values themselves"
        )
    if np.ndim(values) != 1:
        raise RequestError(
            f"the values of `{name}` have {np.ndim(values)} dimensions", "give a list of numbers, or (from, to, count)"
        )
    return ",".join(text_of(name, one) for one in values)


def checked_threads(threads: Any) -> int | None:
    """How many were asked for, if any were."""
    if threads is None:
        return None
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise RequestError(f"`threads` cannot be {threads!r}", "give a whole number from 1 on")
    return int(threads)
