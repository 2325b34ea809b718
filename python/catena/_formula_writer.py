"""SymPy expressions as formulas of model files; it is imported where a SymPy expression is met."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from .errors import RequestError

__all__ = ["name_of", "written"]

# how tightly what a text consists of is bound
SUM, PRODUCT, POWER, ATOM = range(4)
Piece = tuple[str, int]

TIME = "t"
MAX_DERIVATIVE_ORDER = 2

FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log", "Abs": "abs", "sign": "sign",
    "sinc": "sinc",
}  # fmt: skip
RESERVED = {*FUNCTIONS.values(), "sqrt", "min", "max", "dsinc", "pi", "deg"}

# functions that formulas do not have, by those that they have
REWRITTEN: dict[str, Callable[[Any], Any]] = {
    "sec": lambda x: 1 / sympy.cos(x),
    "csc": lambda x: 1 / sympy.sin(x),
    "cot": lambda x: sympy.cos(x) / sympy.sin(x),
    "sech": lambda x: 1 / sympy.cosh(x),
    "csch": lambda x: 1 / sympy.sinh(x),
    "coth": lambda x: sympy.cosh(x) / sympy.sinh(x),
    "asinh": lambda x: sympy.log(x + sympy.sqrt(x**2 + 1)),
    "acosh": lambda x: sympy.log(x + sympy.sqrt(x**2 - 1)),
    "atanh": lambda x: sympy.log((1 + x) / (1 - x)) / 2,
}

REFUSED = {
    "Piecewise": "formulas have no conditions; `(1 + sign(x))/2` is 0 for x < 0 and 1 for x > 0; there are min and max",
    "Integral": "an integral is a first-order state: system.state(\"z\", integrand)",
    "ImaginaryUnit": "formulas have real values",
    "Infinity": "there is no infinite number; write a large one",
    "NegativeInfinity": "there is no infinite number; write a large one",
    "ComplexInfinity": "there is no infinite number; write a large one",
    "NaN": "give a number",
    "Equality": "where left = right is meant to hold write `left - right`",
    "Indexed": "take a symbol of its own for each entry",
    "MatrixElement": "take a symbol of its own for each entry",
    "Vector": "take its components: vector.dot(frame.x)",
    "floor": "formulas have no steps of whole numbers",
    "ceiling": "formulas have no steps of whole numbers",
    "Mod": "formulas have no steps of whole numbers",
}  # fmt: skip


def written(expression: Any) -> str:
    """The expression as a formula."""
    try:
        return piece_of(sympy.sympify(expression, strict=True))[0]
    except sympy.SympifyError:
        raise RequestError(
            f"{expression!r}, of the type `{type(expression).__name__}`, is not a SymPy expression",
            "give a number, a formula in a string or a SymPy expression",
        ) from None
    except RecursionError:
        raise RequestError("the SymPy expression is nested too deep", "name parts of it with definitions") from None


def name_of(value: Any) -> str:
    """What a symbol, a function of time or its derivative is called in a model file."""
    if isinstance(value, (sympy.Symbol, AppliedUndef, sympy.Derivative)):
        return piece_of(value)[0]
    raise RequestError(
        f"`{value}` is not a name", "give a text, a symbol, a function of time or the time derivative of one"
    )


def plain_name(name: str) -> str:
    r"""A name of SymPy as model files write it: `\theta_{1}` is theta_1."""
    plain = re.sub(r"\\(?!(?:d?dot|hat|bar|vec|tilde)\b)([A-Za-z]+)", r"\1", name.strip().strip("$"))
    plain = plain.replace("{", "").replace("}", "")
    if not re.fullmatch(r"[^\W\d]\w*", plain):
        raise RequestError(
            f"the symbol `{name}` cannot be a name in a formula", "names are letters, digits and underscores"
        )
    if plain in RESERVED:
        raise RequestError(f"the symbol `{name}` has the name of something else in formulas", "give it another name")
    return plain


def grouped(expression: Any, least: int) -> str:
    text, binding = piece_of(expression)
    return f"({text})" if binding < least else text


def piece_of(expression: Any) -> Piece:
    """The text and how tightly it is bound."""
    kind = type(expression).__name__
    if expression is sympy.pi:
        return "pi", ATOM
    if expression is sympy.E:
        return "exp(1)", ATOM
    if kind in REFUSED:
        raise RequestError(f"a formula cannot hold `{expression}`", REFUSED[kind])
    if isinstance(expression, sympy.MatrixBase):
        raise RequestError(f"a formula has one value, not the matrix `{expression}`", "take its entries one by one")
    if getattr(expression, "is_Relational", False) or getattr(expression, "is_Boolean", False):
        raise RequestError(f"a formula cannot hold `{expression}`", REFUSED["Piecewise"])
    if isinstance(expression, sympy.Symbol):
        return (TIME if expression.name == TIME else plain_name(expression.name)), ATOM
    if isinstance(expression, sympy.Rational):
        return rational(expression)
    if isinstance(expression, sympy.Float):
        return decimal(expression)
    if isinstance(expression, sympy.Add):
        return addition(expression), SUM
    if isinstance(expression, sympy.Mul):
        return product(expression)
    if isinstance(expression, sympy.Pow):
        return power(expression)
    if isinstance(expression, sympy.Derivative):
        return derivative(expression)
    if isinstance(expression, AppliedUndef):
        return function_of_time(expression), ATOM
    return call(expression, kind)


def rational(number: Any) -> Piece:
    if number.q == 1:
        return str(number.p), ATOM if number.p >= 0 else SUM
    return f"{number.p}/{number.q}", PRODUCT if number.p > 0 else SUM


def decimal(number: Any) -> Piece:
    # what SymPy made of a float is that float again; more digits than those are written out
    text = repr(float(number)) if number._prec <= 53 else sympy.sstr(number, full_prec=True)
    return text, ATOM if number >= 0 else SUM


def addition(expression: Any) -> str:
    text = ""
    for term in expression.as_ordered_terms():
        negative = bool(term.as_coeff_Mul()[0].is_negative)
        if text:
            text += " - " if negative else " + "
        elif negative:
            text += "-"
        text += grouped(-term if negative else term, PRODUCT)
    return text


def product(expression: Any) -> Piece:
    if expression.as_coeff_Mul()[0].is_negative:
        return f"-{grouped(-expression, PRODUCT)}", SUM
    above: list[str] = []
    below: list[str] = []
    for factor in expression.as_ordered_factors():
        if isinstance(factor, sympy.Rational) and factor.q != 1:
            above += [str(factor.p)] if factor.p != 1 else []
            below.append(str(factor.q))
        elif isinstance(factor, sympy.Pow) and factor.exp.is_Number and factor.exp.is_negative:
            below.append(grouped(factor.base**-factor.exp, POWER))
        else:
            above.append(grouped(factor, POWER))
    text = "*".join(above) or "1"
    if below:
        text += f"/{below[0]}" if len(below) == 1 else f"/({'*'.join(below)})"
    return text, PRODUCT


def power(expression: Any) -> Piece:
    base, exponent = expression.base, expression.exp
    if exponent == sympy.S.Half:
        return f"sqrt({piece_of(base)[0]})", ATOM
    if exponent.is_Number and exponent.is_negative:
        return f"1/{grouped(base**-exponent, POWER)}", PRODUCT
    return f"{grouped(base, ATOM)}^{grouped(exponent, ATOM)}", POWER


def is_time(value: Any) -> bool:
    return isinstance(value, sympy.Symbol) and value.name == TIME


def function_of_time(expression: Any) -> str:
    if len(expression.args) == 1 and is_time(expression.args[0]):
        return plain_name(expression.func.__name__)
    raise RequestError(
        f"a formula cannot hold `{expression}`: `{expression.func.__name__}` is not a function of the time t alone",
        "coordinates are functions of t, as `dynamicsymbols` makes them; write other functions out",
    )


def derivative(expression: Any) -> Piece:
    of = expression.expr
    if not isinstance(of, AppliedUndef):
        evaluated = expression.doit()
        if not isinstance(evaluated, sympy.Derivative):
            return piece_of(evaluated)
    if not (isinstance(of, AppliedUndef) and all(is_time(variable) for variable in expression.variables)):
        raise RequestError(
            f"a formula cannot hold `{expression}`", "formulas have derivatives with respect to time only"
        )
    order = len(expression.variables)
    if order > MAX_DERIVATIVE_ORDER:
        raise RequestError(f"a formula cannot hold `{expression}`", "the second time derivative is the highest one")
    return function_of_time(of) + "'" * order, ATOM


def call(expression: Any, kind: str) -> Piece:
    arguments = expression.args
    if kind in FUNCTIONS:
        return f"{FUNCTIONS[kind]}({', '.join(piece_of(one)[0] for one in arguments)})", ATOM
    if kind in ("Min", "Max"):
        *others, text = (piece_of(one)[0] for one in sorted(arguments, key=sympy.default_sort_key))
        for other in reversed(others):
            text = f"{kind.lower()}({other}, {text})"
        return text, ATOM
    if kind in REWRITTEN:
        return piece_of(REWRITTEN[kind](*arguments))
    if kind == "Heaviside" and arguments[1:] in ((), (sympy.S.Half,)):
        return f"(1 + sign({piece_of(arguments[0])[0]}))/2", PRODUCT
    raise RequestError(
        f"a formula cannot hold `{expression}`: it has no `{kind}`",
        f"functions: {', '.join(sorted(RESERVED - {'pi', 'deg'}))}",
    )
