"""SymPy: expressions as formulas, formulas as expressions, and derived equations as matrices."""

from __future__ import annotations

import inspect
import sys
import types
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import LagrangesMethod, ReferenceFrame, dynamicsymbols

import catena
from catena.formulas import expression, formula

t = dynamicsymbols._t
m, l, k = sympy.symbols("m l k")
x, theta = dynamicsymbols("x theta")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (m * l**2 * theta.diff() ** 2 / 2, "l^2*m*theta'^2/2"),
        (theta.diff(t, 2) * m, "m*theta''"),
        (-m * l * sympy.cos(theta - x), "-l*m*cos(theta - x)"),
        (sympy.Rational(-2, 3) * m, "-2*m/3"),
        (sympy.Rational(1, 3), "1/3"),
        (m ** sympy.Rational(1, 3), "m^(1/3)"),
        (1 / sympy.sqrt(m), "1/sqrt(m)"),
        (m / (l * k), "m/(k*l)"),
        (m / l**2, "m/l^2"),
        ((m + l) / (k - 1), "(l + m)/(k - 1)"),
        ((m**l) ** k, "(m^l)^k"),
        (m ** (l**k), "m^(l^k)"),
        ((-m) ** l, "(-m)^l"),
        (m**-l, "m^(-l)"),
        (-(m**2), "-m^2"),
        (sympy.Float(0.1) * m, "0.1*m"),
        (sympy.Float(1e-12), "1e-12"),
        (sympy.Float(1 / 3), "0.3333333333333333"),
        (sympy.Float("0.1234567890123456789012345", 25), "0.1234567890123456789012345"),
        (2 * sympy.pi * sympy.E, "2*exp(1)*pi"),
        (sympy.exp(-m * t), "exp(-m*t)"),
        (sympy.Abs(m) * sympy.sign(l), "abs(m)*sign(l)"),
        (sympy.Min(m, l, k), "min(k, min(l, m))"),
        (sympy.Max(0, m), "max(0, m)"),
        (sympy.atan2(m, l), "atan2(m, l)"),
        (sympy.sec(m), "1/cos(m)"),
        (sympy.Heaviside(m) * l, "l*((1 + sign(m))/2)"),
        (sympy.Derivative(sympy.sin(theta), t), "cos(theta)*theta'"),
        (sympy.Symbol(r"\theta_{1}") + sympy.Symbol("Omega_2"), "Omega_2 + theta_1"),
        (sympy.Function("φ")(t).diff(t), "φ'"),
        (sympy.Symbol("t", real=True), "t"),
        (3, "3"),
        (2.5, "2.5"),
    ],
)
def test_an_expression_becomes_a_formula(value: Any, text: str) -> None:
    assert formula(value) == text


@pytest.mark.parametrize(
    ("value", "message", "help"),
    [
        (
            sympy.Piecewise((m, m > 0), (0, True)),
            "a formula cannot hold `Piecewise((m, m > 0), (0, True))`",
            "min and max",
        ),
        (m * sympy.I, "a formula cannot hold `I`", "real values"),
        (sympy.oo, "a formula cannot hold `oo`", "infinite"),
        (sympy.nan, "a formula cannot hold `nan`", "give a number"),
        (sympy.Eq(m, l), "a formula cannot hold `Eq(m, l)`", "write `left - right`"),
        (theta.diff(t, 3), "a formula cannot hold `Derivative(theta(t), (t, 3))`", "second time derivative"),
        (sympy.Function("f")(m), "`f` is not a function of the time t alone", "dynamicsymbols"),
        (sympy.Function("f")(m).diff(m), "a formula cannot hold `Derivative(f(m), m)`", "with respect to time"),
        (sympy.gamma(m), "it has no `gamma`", "functions: abs, acos"),
        (sympy.Integral(m, t), "a formula cannot hold `Integral(m, t)`", "first-order state"),
        (sympy.floor(m), "a formula cannot hold `floor(m)`", "whole numbers"),
        (sympy.Symbol("pi"), "the symbol `pi` has the name of something else", "another name"),
        (sympy.Symbol("a b"), "the symbol `a b` cannot be a name", "letters, digits and underscores"),
        (sympy.Symbol(r"\dot{x}"), r"the symbol `\dot{x}` cannot be a name", "letters"),
        (sympy.Indexed("q", 1), "a formula cannot hold `q[1]`", "symbol of its own"),
        (sympy.Matrix([m]), "a formula has one value, not the matrix", "one by one"),
        (m > 0, "a formula cannot hold `m > 0`", "no conditions"),
        (object, "is not a SymPy expression", "a number, a formula in a string"),
        ("m*l", "is not a SymPy expression", "a number, a formula in a string"),
    ],
)
def test_what_formulas_cannot_say_is_refused(value: Any, message: str, help: str) -> None:
    with pytest.raises(catena.RequestError) as caught:
        formula(value)
    assert message in caught.value.message
    assert help in (caught.value.help or "")


def test_an_expression_that_is_nested_too_deep_is_refused() -> None:
    nested: Any = m
    for _ in range(2000):
        nested = sympy.sin(nested, evaluate=False)
    with pytest.raises(catena.RequestError, match="nested too deep"):
        formula(nested)


def test_a_formula_becomes_the_expression_that_it_was() -> None:
    values = [
        -(m**2) + 2 ** (3 ** sympy.Symbol("n")) / l,
        sympy.sqrt(m**2 + l**2) * sympy.atan2(x, -l) - sympy.Rational(3, 7),
        sympy.exp(-(((t - k) / l) ** 2)) * theta.diff() ** 2,
        sympy.Max(0, m * x + l * x.diff()) - sympy.Min(k, 1) + sympy.Abs(x) * sympy.sign(x),
    ]
    for value in values:
        assert expression(formula(value), ["x", "theta"]) == value
    assert expression("5 mm + 60 deg + 30 rpm + (1 + 1) deg + min(1, 2)") == sympy.Rational(201, 200) + sympy.pi * (
        sympy.Rational(1, 3) + 1 + sympy.Rational(1, 90)
    )
    assert expression("-x^2*2^-1 - −.5e1") == -(sympy.Symbol("x") ** 2) / 2 + 5


def random_expression(random: np.random.Generator, depth: int) -> Any:
    """A positive expression of the parameters, so that roots, powers and logarithms have values."""
    leaves = [*sympy.symbols("a b c"), sympy.Rational(2, 3), sympy.Integer(3), sympy.Float(0.37), sympy.pi, sympy.E]
    if depth == 0:
        return leaves[random.integers(len(leaves))]
    first, second = random_expression(random, depth - 1), random_expression(random, depth - 1)
    kinds: list[Any] = [
        lambda: first + second, lambda: sympy.Abs(first - second) + 1, lambda: first * second, lambda: first / second,
        lambda: sympy.sqrt(first), lambda: first ** -sympy.Rational(3, 2), lambda: 1 / (first + second),
        lambda: (1 + first) ** sympy.cos(second), lambda: 2 + sympy.sin(first), lambda: sympy.exp(-first),
        lambda: sympy.log(1 + first) + second, lambda: sympy.Max(first, second, 1), lambda: sympy.Min(first, second),
        lambda: 2 - sympy.tanh(first - second), lambda: 2 + sympy.atan2(-first, second), lambda: -first + 2 * first,
        lambda: (1 + sympy.sinc(first)) * sympy.cosh(sympy.sin(second)), lambda: (-first - second) ** 2,
    ]  # fmt: skip
    return kinds[random.integers(len(kinds))]()


def test_random_expressions_have_the_same_value_in_sympy_and_as_formulas() -> None:
    random = np.random.default_rng(7)
    expressions = [random_expression(random, depth) for depth in (1, 2, 3) for _ in range(80)]
    values = dict(zip(sympy.symbols("a b c"), (0.7, 1.3, 2.1), strict=True))
    system = catena.System("Random")
    system.coordinate("x")
    system.kinetic("x'^2/2")
    system.parameters(values)
    for number, value in enumerate(expressions):
        system.parameter(f"p{number}", value)
    parameters = system.model().parameters
    for number, value in enumerate(expressions):
        expected = float(sympy.N(value.subs(values), 30))
        assert parameters[f"p{number}"] == pytest.approx(expected, rel=1e-12), formula(value)
        again = expression(formula(value))
        assert float(sympy.N(again.subs(values), 30)) == pytest.approx(expected, rel=1e-12), formula(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2*", "an operand is missing at the end"),
        ("", "an operand is missing at the end"),
        ("2 x", "an operator is missing before `x`"),
        ("(x + 1", "a parenthesis is never closed"),
        ("* x", "an operand is missing before `*`"),
        ("x = 2", "the character `=` has no meaning"),
        ("__import__('os')", "the character `'` has no meaning"),
        ("foo(x)", "`foo` is not a function"),
        ("sni(x)", "`sni` is not a function"),
        ("sin(x, y)", "`sin` takes 1 argument, not 2"),
        ("y'", "`y` has no derivative"),
        ("(" * 300 + "x" + ")" * 300, "nested more than 200 levels deep"),
    ],
)
def test_a_text_that_is_no_formula_is_refused(text: str, message: str) -> None:
    with pytest.raises(catena.RequestError) as caught:
        expression(text, ["x"])
    assert message in caught.value.message


def test_settings_may_be_expressions_of_sympy() -> None:
    model = catena.load("single-pendulum").set({"theta": sympy.pi / 3}, l=sympy.Rational(1, 4))
    assert model.parameters["l"] == 0.25
    assert model.run(t_end=0.1)["theta"][0] == pytest.approx(np.pi / 3, rel=1e-15)


def exported(derivation: catena.Derivation) -> types.ModuleType:
    """The equations as a Python module, written by another part of Catena."""
    module = types.ModuleType("exported_by_catena")
    sys.modules[module.__name__] = module
    exec(compile(derivation._file("model", "python"), "exported", "exec"), module.__dict__)
    return module


def deviation_of(derivation: catena.Derivation) -> float:
    """How far SymPy's numbers are from those of the exported module, at a random state."""
    equations, module = derivation.to_sympy(), exported(derivation)
    random = np.random.default_rng(2)
    q, v = random.normal(size=(2, len(equations.coordinates)))
    states = random.normal(size=len(equations.states))
    dummies = [sympy.Dummy() for _ in (*q, *v, *states)]
    rates = dict(zip(equations.velocities, dummies[len(q) :]))
    places = dict(zip([*equations.coordinates, *equations.states], [*dummies[: len(q)], *dummies[2 * len(q) :]]))
    known = {"t": 0.3, "q": q, "v": v, "states": states, "p": module.Parameters()}
    worst = 0.0
    for name in (
        "mass_matrix", "forces", "constraints", "constraint_jacobian", "constraint_rate", "constraint_gamma",
        "state_rates", "kinetic", "potential",
    ):  # fmt: skip
        matrix = sympy.Matrix([getattr(equations, name)])
        function = getattr(module, name, None)
        if function is None:
            assert matrix.is_zero_matrix
            continue
        expected = np.ravel(function(**{key: known[key] for key in inspect.signature(function).parameters}))
        compiled = sympy.lambdify(
            [equations.t, *dummies, *equations.parameters], matrix.xreplace(rates).xreplace(places), "numpy", cse=True
        )
        found = np.ravel(compiled(0.3, *q, *v, *states, *equations.parameters.values()))
        worst = max(worst, np.max(np.abs(found - expected) / (1 + np.abs(expected)), initial=0.0))
    return worst


@pytest.mark.parametrize("name", [name for name in catena.systems() if name not in ("chain", "double-wishbone")])
def test_equations_of_a_ready_system_agree_with_its_exported_source(name: str) -> None:
    assert deviation_of(catena.load(name).derive()) < 1e-13


def test_equations_of_the_largest_systems_agree_in_every_set_of_coordinates() -> None:
    assert deviation_of(catena.load("chain", links=6).derive("absolute")) < 1e-13
    assert deviation_of(catena.load("double-wishbone").derive("joint")) < 1e-13
    assert deviation_of(catena.load("quick-return").derive("joint")) < 1e-13


def test_equations_that_are_too_long_to_be_written_out_come_from_their_operations() -> None:
    system = catena.System("Long")
    system.coordinate("x")
    system.kinetic("1/2*x'^2")
    system.potential(" + ".join(f"sin({i}*x)*exp(-x^2/{i})/{i}" for i in range(1, 215)))
    derivation = system.model().derive()
    assert '"equation": null' in derivation._file("model", "json")
    assert deviation_of(derivation) < 1e-13


def test_the_double_pendulum_is_the_one_that_sympy_derives() -> None:
    equations = catena.load("double-pendulum").derive().to_sympy()
    method = LagrangesMethod(equations.lagrangian, list(equations.coordinates), frame=ReferenceFrame("N"))
    method.form_lagranges_equations()
    assert sympy.simplify(method.mass_matrix - equations.mass_matrix).is_zero_matrix
    assert sympy.simplify(method.forcing - equations.forces).is_zero_matrix


def test_constraints_and_multipliers_are_those_that_sympy_derives() -> None:
    equations = catena.load("single-pendulum").derive().to_sympy()
    q = list(equations.coordinates)
    method = LagrangesMethod(equations.lagrangian, q, hol_coneqs=list(equations.constraints), frame=ReferenceFrame("N"))
    method.form_lagranges_equations()
    assert sympy.simplify(method.forcing - equations.forces).is_zero_matrix
    assert sympy.simplify(equations.constraints.jacobian(q) - equations.constraint_jacobian).is_zero_matrix
    second = equations.constraints.diff(equations.t, 2)
    acceleration = equations.constraint_jacobian * equations.accelerations - equations.constraint_gamma
    assert sympy.simplify(second - acceleration).is_zero_matrix
    assert [str(multiplier) for multiplier in equations.multipliers] == ["lambda_phi1", "lambda_phi2"]
    assert "\\lambda" in (equations._repr_latex_() or "")
    assert catena.load("four-bar").derive().to_sympy()._repr_latex_() is None, "nine coordinates do not fit on a page"


def test_words_of_python_and_greek_letters_are_names_as_others() -> None:
    system = catena.System("Words")
    system.parameters({"lambda": 2, "class": 3, "θ0": 1})
    for name in ("in", "φ", "E"):
        system.coordinate(name)
    system.definition("def", "lambda*in^2")
    system.definition("S", "def' + φ*E")
    system.kinetic("class*in'^2/2 + φ'^2/2 + E'^2*(1 + S^2)")
    system.potential("def + cos(φ - θ0) + E^2")
    equations = system.model().derive().to_sympy()
    of = equations.lagrangian
    lagrange = [
        of.diff(v).diff(t) - of.diff(q) for q, v in zip(equations.coordinates, equations.velocities, strict=True)
    ]
    assert (sympy.Matrix(lagrange) - equations.residual).applyfunc(sympy.expand).is_zero_matrix


def test_equations_name_parameters_that_follow_from_others_and_states() -> None:
    equations = catena.load("single-pendulum", l=2).derive().to_sympy()
    J, l, m = sympy.symbols("J l m")
    assert equations.formulas == {J: m * l**2 / 12}
    assert equations.parameters[J] == pytest.approx(1 / 3)
    lorenz = catena.load("lorenz").derive().to_sympy()
    sigma, (first, second, _) = sympy.Symbol("sigma"), lorenz.states
    assert sympy.expand(lorenz.state_rates[0] - sigma * (second - first)) == 0
    assert (lorenz.kinetic, lorenz.mass_matrix.shape, repr(lorenz)) == (
        0, (0, 0), "<Equations of Lorenz equations: 0 coordinates, 0 constraints>",
    )  # fmt: skip
