"""Straight lines of operations, as `Model.export("json")` writes them, on SymPy expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import sympy

from ._formula_reader import FUNCTIONS

__all__ = ["applied"]

OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negate": lambda a: -a,
    "power": lambda a, b: a**b,
    "squareroot": sympy.sqrt,
    "sine": sympy.sin,
    "cosine": sympy.cos,
}


def applied(program: dict[str, Any], inputs: list[Any]) -> list[Any]:
    """What a program makes of its inputs."""
    values = [*inputs, *(constant(number) for number in program["constants"])]
    operations = [named(operation) for operation in program["operations"]]
    results = [place for output in program["outputs"] for place in output["values"]]
    uses = Counter([*results, *(place for _, _, places in operations for place in places)])
    # SymPy takes as long for one more term as for all terms before: a sum is put together once, where it is complete
    sums: dict[int, list[Any]] = {}

    def value(place: int) -> Any:
        if place in sums:
            values[place] = sympy.Add(*sums.pop(place))
        return values[place]

    def terms(place: int) -> list[Any]:
        return sums.pop(place) if place in sums and uses[place] == 1 else [value(place)]

    for name, function, places in operations:
        if name == "add":
            first, second = places
            sums[len(values)] = terms(first) + terms(second)
            values.append(None)
        else:
            values.append(function(*(value(place) for place in places)))
    return [value(place) for place in results]


def named(operation: dict[str, Any]) -> tuple[str, Callable[..., Any], list[int]]:
    """What an operation is called, what it does, and to which values."""
    ((name, operands),) = operation.items()
    if name in ("call", "call2"):
        return name, FUNCTIONS[operands[0]][1], operands[1:]
    return name, OPERATIONS[name], operands if isinstance(operands, list) else [operands]


def constant(number: float) -> Any:
    """A whole number stays exact; others are the double that the program has."""
    return sympy.Integer(int(number)) if float(number).is_integer() else sympy.Float(number)
