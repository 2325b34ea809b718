"""Between SymPy and the formulas of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sympy

__all__ = ["expression", "formula"]


def formula(expression: Any) -> str:
    """A SymPy expression as a formula of model files.

    Functions of time, as `dynamicsymbols` makes them, are coordinates, definitions or states; their derivatives are
    primes.

    >>> from sympy import Rational, cos, symbols
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> m, l = symbols("m l")
    >>> theta = dynamicsymbols("theta")
    >>> formula(m * l**2 * theta.diff() ** 2 / 2)
    "l^2*m*theta'^2/2"
    >>> formula(Rational(1, 3) + cos(2 * theta))
    'cos(2*theta) + 1/3'
    """
    from ._formula_writer import written

    return written(expression)


def expression(text: str, functions: tuple[str, ...] | list[str] = ()) -> sympy.Expr:
    """A formula of model files as a SymPy expression; these names are functions of time, all others are symbols.

    Decimals stay exact, as they do in model files.

    >>> expression("1/2*m*x'^2 + 0.25*k*x^2 + 30 deg", ["x"])
    k*x(t)**2/4 + m*Derivative(x(t), t)**2/2 + pi/6
    """
    from ._formula_reader import plain_names, read

    return read(text, plain_names(functions))
