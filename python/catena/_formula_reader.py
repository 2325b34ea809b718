"""Formulas of model files as SymPy expressions, by a parser of their grammar: nothing is evaluated as Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import sympy
from sympy.physics.vector import dynamicsymbols

from ._nearest import did_you_mean
from .errors import RequestError

__all__ = ["Names", "plain_names", "read", "sinc_derivative"]

Names = Callable[[str, int], Any]
"""What a name with so many primes stands for."""

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)(?P<primes>'*)|(?P<sign>[-+*/^(),−·]))"
)
MAX_NESTING = 200

UNITS = {
    "deg": sympy.pi / 180,
    "mm": sympy.Rational(1, 1000),
    "cm": sympy.Rational(1, 100),
    "km": sympy.Integer(1000),
    "ms": sympy.Rational(1, 1000),
    "min": sympy.Integer(60),
    "rpm": sympy.pi / 30,
    "Hz": sympy.Integer(1),
    "kN": sympy.Integer(1000),
}


def sinc_derivative(order: Any, x: Any) -> Any:
    """A derivative of sin(x)/x, which is 1 at 0."""
    variable = sympy.Dummy("x")
    return sympy.sinc(variable).diff(variable, int(order)).subs(variable, x)


FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    **{
        name: (1, getattr(sympy, name))
        for name in "sin cos tan asin acos atan sinh cosh tanh exp log sqrt sign sinc".split()
    },
    "abs": (1, sympy.Abs),
    "atan2": (2, sympy.atan2),
    "min": (2, sympy.Min),
    "max": (2, sympy.Max),
    "dsinc": (2, sinc_derivative),
}


def plain_names(functions: Iterable[str]) -> Names:
    """Names of functions of time; all others are symbols."""
    of_time = set(functions)

    def name(text: str, primes: int) -> Any:
        if text == "t" and not primes:
            return dynamicsymbols._t
        if text in of_time:
            return dynamicsymbols(text, primes)
        if primes:
            raise RequestError(f"`{text}` has no derivative", f'name it among the functions of time: ["{text}"]')
        return sympy.Symbol(text)

    return name


def read(text: str, names: Names) -> Any:
    """The formula as an expression."""
    return Parser(text, names).whole()


class Parser:
    """Operators that bind tighter than those around them are read first."""

    def __init__(self, text: str, names: Names) -> None:
        self.text = text
        self.names = names
        self.tokens = self.split()
        self.at = 0

    def split(self) -> list[tuple[str, str, int]]:
        """Kind, text and number of primes of every token."""
        tokens = []
        end = len(self.text.rstrip())
        position = 0
        while position < end:
            found = TOKEN.match(self.text, position)
            if found is None:
                raise self.wrong(f"the character `{self.text[position:].lstrip()[0]}` has no meaning")
            kind = found.lastgroup or ""
            kind = "name" if kind == "primes" else kind
            word = found[kind].replace("−", "-").replace("·", "*")
            tokens.append((kind, word, len(found["primes"] or "")))
            position = found.end()
        return tokens

    def wrong(self, why: str) -> RequestError:
        return RequestError(f"`{self.text}` cannot be read as a formula: {why}", "write it as in a model file")

    def whole(self) -> Any:
        value = self.sum(0)
        if self.at < len(self.tokens):
            raise self.wrong(f"an operator is missing before `{self.tokens[self.at][1]}`")
        return value

    def next_is(self, *signs: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs

    def take(self, *signs: str) -> str | None:
        if not self.next_is(*signs):
            return None
        self.at += 1
        return self.tokens[self.at - 1][1]

    def sum(self, depth: int) -> Any:
        terms = [self.product(depth)]
        while sign := self.take("+", "-"):
            term = self.product(depth)
            terms.append(term if sign == "+" else -term)
        return sympy.Add(*terms)

    def product(self, depth: int) -> Any:
        factors = [self.power(depth)]
        while sign := self.take("*", "/"):
            factor = self.power(depth)
            factors.append(factor if sign == "*" else 1 / factor)
        return sympy.Mul(*factors)

    def power(self, depth: int) -> Any:
        """A sign reaches as far as a power does: -x^2 is -(x^2)."""
        if depth > MAX_NESTING:
            raise self.wrong(f"it is nested more than {MAX_NESTING} levels deep")
        if sign := self.take("+", "-"):
            value = self.power(depth + 1)
            return -value if sign == "-" else value
        base = self.operand(depth)
        return base ** self.power(depth + 1) if self.take("^") else base

    def operand(self, depth: int) -> Any:
        if self.at == len(self.tokens):
            raise self.wrong("an operand is missing at the end")
        kind, word, primes = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return sympy.Rational(word) * self.unit(UNITS)
        if kind == "name":
            return self.named(word, primes, depth)
        if word != "(":
            raise self.wrong(f"an operand is missing before `{word}`")
        value = self.sum(depth + 1)
        self.close()
        return value * self.unit(("deg",))

    def unit(self, known: Iterable[str]) -> Any:
        """The unit that comes next; `min(` is a function."""
        if self.at == len(self.tokens) or self.tokens[self.at][0] != "name" or self.tokens[self.at][1] not in known:
            return sympy.Integer(1)
        if self.tokens[self.at + 1 : self.at + 2] == [("sign", "(", 0)]:
            return sympy.Integer(1)
        self.at += 1
        return UNITS[self.tokens[self.at - 1][1]]

    def named(self, word: str, primes: int, depth: int) -> Any:
        if self.take("("):
            arguments = [self.sum(depth + 1)]
            while self.take(","):
                arguments.append(self.sum(depth + 1))
            self.close()
            return self.call(word, arguments)
        return sympy.pi if word == "pi" else self.names(word, primes)

    def call(self, word: str, arguments: list[Any]) -> Any:
        if word not in FUNCTIONS:
            raise RequestError(f"`{word}` is not a function", did_you_mean(word, FUNCTIONS, "functions"))
        arity, function = FUNCTIONS[word]
        if len(arguments) != arity:
            raise self.wrong(f"`{word}` takes {arity} argument{'s' * (arity > 1)}, not {len(arguments)}")
        return function(*arguments)

    def close(self) -> None:
        if not self.take(")"):
            raise self.wrong("a parenthesis is never closed")
