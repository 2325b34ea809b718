"""Straight lines of operations, as `Model.export("json")` writes them, on SymPy expressions."""

from __future__ import annotations

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
    for operation in program["operations"]:
        ((name, operands),) = operation.items()
        if name in ("call", "call2"):
            function, *places = operands
            values.append(FUNCTIONS[function][1](*(values[place] for place in places)))
        else:
            places = operands if isinstance(operands, list) else [operands]
            values.append(OPERATIONS[name](*(values[place] for place in places)))
    return [values[place] for output in program["outputs"] for place in output["values"]]


def constant(number: float) -> Any:
    """A whole number stays exact; others are the double that the program has."""
    return sympy.Integer(int(number)) if float(number).is_integer() else sympy.Float(number)
