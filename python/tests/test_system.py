"""Systems written in Python: coordinates, energies, constraints, as texts and as SymPy expressions."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import catena
from catena import System


def rebuilt(tables: dict[str, Any]) -> System:
    """A system from the tables of a model file, written with the methods of `System`."""
    system = System(tables["title"], tables["description"])
    system.parameters(tables.get("parameters"))
    if "chain" in tables:
        keys = dict(tables["chain"])
        pivot = {f"pivot_{key}": value for key, value in keys.pop("pivot", {}).items()}
        system.chain(**keys, **pivot)
    for name, text in tables.get("coordinates", {}).items():
        system.coordinate(name, text)
    for energy, formula in tables.get("energy", {}).items():
        getattr(system, energy)(formula)
    for section, method in {
        "definitions": system.definition, "forces": system.force, "states": system.state,
        "constraints": system.constraint, "outputs": system.output,
    }.items():  # fmt: skip
        for name, formula in tables.get(section, {}).items():
            method(name, formula)
    system.initial(tables.get("initial"))
    system.guess(tables.get("guess"))
    for name, event in tables.get("events", {}).items():
        system.event(name, **event)
    for name, drawing in tables.get("draw", {}).items():
        if isinstance(drawing, list):
            system.draw(name, drawing)
        else:
            system.draw(name, drawing["points"], as_=drawing["as"], radius=drawing.get("radius"))
    system.run_defaults(**tables["run"])
    return system


@pytest.mark.parametrize("name", [name for name in catena.systems() if catena.load(name).about["kind"] != "mechanism"])
def test_a_ready_system_that_is_rebuilt_moves_identically(name: str) -> None:
    tomllib = pytest.importorskip("tomllib")
    ready = catena.load(name)
    tables = tomllib.loads(ready.text)
    built = rebuilt(tables).model()
    found = tomllib.loads(built.text)
    assert found == tables
    for section in tables:
        if section != "run" and isinstance(tables[section], dict):
            assert list(found[section]) == list(tables[section])
    ours, theirs = built.run(t_end=0.2), ready.run(t_end=0.2)
    assert list(ours.table) == list(theirs.table)
    for column in ours.table:
        assert np.array_equal(ours[column], theirs[column]), column


def double_pendulum() -> System:
    """As users of SymPy write it."""
    m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g")
    theta1, theta2 = dynamicsymbols("theta1 theta2")
    t = dynamicsymbols._t
    x1, y1 = l1 * sympy.sin(theta1), -l1 * sympy.cos(theta1)
    x2, y2 = x1 + l2 * sympy.sin(theta2), y1 - l2 * sympy.cos(theta2)
    system = System("Double pendulum")
    system.parameters({g: 9.81, m1: 1, m2: np.float64(1.0), l1: sympy.Integer(1), l2: Fraction(2, 2)})
    system.coordinate(theta1, "upper rod")
    system.coordinate(theta2, "lower rod", angle=True)
    speed1 = x1.diff(t) ** 2 + y1.diff(t) ** 2
    system.kinetic(m1 * speed1 / 2 + m2 * (x2.diff(t) ** 2 + y2.diff(t) ** 2) / 2)
    system.potential(m1 * g * y1 + m2 * g * y2)
    system.initial({theta1: sympy.pi / 2, theta2: sympy.pi / 2, theta1.diff(t): 0, theta2.diff(t): 0})
    system.event("lowest", theta1, direction=-1)
    system.output("acceleration", l1 * theta1.diff(t, 2))
    return system


def test_a_double_pendulum_of_sympy_moves_as_the_ready_one() -> None:
    ours = double_pendulum().model().run(t_end=2.0, rtol=1e-11, atol=1e-12)
    theirs = catena.load("double-pendulum").run(t_end=2.0, every=0.01, rtol=1e-11, atol=1e-12)
    for name in ("theta1", "theta2'", "energy"):
        assert np.allclose(np.interp(theirs.t, ours.t, ours[name])[0], theirs[name][0])
        assert ours[name][-1] == pytest.approx(theirs[name][-1], rel=1e-8, abs=1e-8)
    assert ours["acceleration"].shape == ours.t.shape


def test_energies_of_bodies_of_sympy_are_taken_as_they_are() -> None:
    t, theta = dynamicsymbols._t, dynamicsymbols("theta")
    m, l, g, J = sympy.symbols("m l g J")
    world = ReferenceFrame("N")
    rod = world.orientnew("A", "Axis", [theta, world.z])
    pin = Point("O")
    pin.set_vel(world, 0)
    centre = pin.locatenew("G", -l / 2 * rod.y)
    centre.v2pt_theory(pin, world, rod)
    body = RigidBody("rod", centre, rod, m, (inertia(rod, 0, 0, J), centre))
    body.potential_energy = m * g * centre.pos_from(pin).dot(world.y)
    system = System("Rod")
    system.parameters({m: 1, l: 10, g: 9.81, J: m * l**2 / 12})
    system.coordinate(theta)
    system.kinetic(body.kinetic_energy(world))
    system.potential(body.potential_energy)
    system.initial({theta: "45 deg", theta.diff(t): 0})
    ours = system.model().run(t_end=3, rtol=1e-10, atol=1e-12)["theta"]
    theirs = catena.load("single-pendulum").run(t_end=3, every=3 / 200, rtol=1e-10, atol=1e-12)["theta"]
    assert np.allclose(ours, theirs, rtol=0, atol=1e-7)


def test_a_lagrangian_gives_the_system_of_its_energies() -> None:
    m, l, g = sympy.symbols("m l g")
    x, y = dynamicsymbols("x y")
    lagrangian = m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y
    system = System.from_lagrangian(
        lagrangian, [x, y], parameters={m: 2, l: 1.5, g: 9.81}, constraints=[sympy.Eq(x**2 + y**2, l**2)],
        dissipation=0, forces={x: sympy.sin(3 * dynamicsymbols._t)}, initial={x: 1.5, y: 0}, title="Bob",
    )  # fmt: skip
    run = system.model().run(t_end=1.0, rtol=1e-10, atol=1e-12)
    assert np.allclose(run["x"] ** 2 + run["y"] ** 2, 2.25, atol=1e-7)
    assert 'phi1 = "-l^2 + x^2 + y^2"' in system.to_toml()
    equations = system.model().derive().to_sympy()
    assert sympy.simplify(equations.lagrangian - lagrangian) == 0
    assert "kinetic = \"m*(x'^2 + y'^2)/2\"" in system.to_toml()
    factored = System.from_lagrangian(m * (x.diff() ** 2 / 2 - g * x), [x])
    assert 'kinetic = "m*x\'^2/2"\npotential = "g*m*x"' in factored.to_toml()
    named = System.from_lagrangian(lagrangian, [x, y], constraints={"rod": x**2 + y**2 - l**2})
    assert 'rod = "' in named.to_toml()


def test_a_lagrangian_with_a_moving_pivot_gives_the_same_equations() -> None:
    m, l, g, a, w = sympy.symbols("m l g a w")
    theta, t = dynamicsymbols("theta"), dynamicsymbols._t
    x, y = a * sympy.cos(w * t) + l * sympy.sin(theta), -l * sympy.cos(theta)
    kinetic = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
    values = {m: 1, l: 1, g: 9.81, a: 0.1, w: 3}
    whole = System.from_lagrangian(kinetic - m * g * y, [theta], parameters=values, initial={theta: 0.5})
    split = System("Split")
    split.parameters(values)
    split.coordinate(theta)
    split.kinetic(kinetic)
    split.potential(m * g * y)
    split.initial({theta: 0.5})
    first, second = (system.model().run(t_end=3.0, rtol=1e-11, atol=1e-12)["theta"] for system in (whole, split))
    assert np.allclose(first, second, rtol=0, atol=1e-8)


def test_values_of_all_kinds_are_written_without_losing_a_digit() -> None:
    system = System('A "quoted" \\ title\n', "Zweite Zeile ü")
    system.parameters(
        a=0.1 + 0.2, b=np.float32(0.5), c=10**20, d=Fraction(1, 3), e=Decimal("0.1"), f=sympy.Float(0.1), h=1e-300,
        i="""1
             + 1""", j=np.array(2.0), k=sympy.Rational(1, 7),
    )  # fmt: skip
    system.coordinate("x", angle=False)
    system.kinetic("1/2*x'^2")
    system.initial({"x'": 1})
    model = system.model()
    expected = {
        "a": 0.1 + 0.2, "b": 0.5, "c": 1e20, "d": 1 / 3, "e": 0.1, "f": 0.1, "h": 1e-300, "i": 2.0, "j": 2.0,
        "k": 1 / 7,
    }  # fmt: skip
    assert model.parameters == expected
    assert model.title == 'A "quoted" \\ title\n'
    assert str(system).splitlines()[0] == 'title = "A \\"quoted\\" \\\\ title\\U0000000A"'
    assert pickle.loads(pickle.dumps(model)) == model
    assert system.model(a=3).parameters["a"] == 3.0


def test_a_chain_has_lists_and_a_moving_pivot() -> None:
    system = System("Chain")
    system.parameter("f", 0.5)
    system.chain(
        2, mass=[1, 2], length=np.array([0.5, 0.25]), shape="bob", start=["10 deg", sympy.pi / 4], pivot_y="sin(f*t)"
    )
    model = system.model()
    assert model.parameters == {"f": 0.5, "g": 9.81, "m1": 1.0, "m2": 2.0, "L1": 0.5, "L2": 0.25}
    assert model.run(t_end=0.1)["theta2"][0] == pytest.approx(np.pi / 4)


def pendulum() -> System:
    system = System("Pendulum")
    system.parameters(m=1, l=1, g=9.81)
    system.coordinate("theta")
    system.kinetic("1/2*m*l^2*theta'^2")
    return system


def test_mistakes_are_said_where_they_are_made() -> None:
    system = pendulum()
    loose: Any = system
    x = dynamicsymbols("x")
    cases: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: system.parameter("m", 2), "the parameter `m` has been given already", "`Model.set`"),
        (lambda: system.kinetic("0"), "the energy `kinetic` has been given already", "once"),
        (lambda: system.parameter("a", float("inf")), "`a` cannot be inf", "finite"),
        (lambda: system.parameter("a", None), "`a` cannot be None", "a number or a formula"),
        (lambda: system.parameter("a", True), "`a` is a number or a formula, not True", ""),
        (lambda: system.parameter("a", np.zeros(2)), "`a` cannot be array([0., 0.])", "a number or a formula"),
        (lambda: system.parameter(3, 1), "3 is not a name", "a text or a symbol"),
        (lambda: system.parameter(sympy.Symbol("m") + 1, 1), "`m + 1` is not a name", "a text, a symbol"),
        (lambda: system.definition("d", sympy.gamma(x)), "it has no `gamma`", "functions"),
        (lambda: system.event("e", x, direction=2), "the direction of an event is 1, -1 or 0, not 2", ""),
        (lambda: loose.event("e", x, terminal="no"), "`terminal` is True or False, not 'no'", ""),
        (lambda: loose.event("e", x, terminl=True), "`event` has no keyword `terminl`", "`terminal`"),
        (lambda: loose.coordinate("q", 3), "`q` is a text, not 3", '"..."'),
        (lambda: loose.coordinate("q", angel=True), "`coordinate` has no keyword `angel`", "`angle`"),
        (lambda: system.draw("line", "x"), "the points of `line` are pairs, not 'x'", '[("0", "0")'),
        (lambda: system.draw("line", [("0",)]), "`line` is a pair, not ('0',)", "(x, y)"),
        (
            lambda: loose.draw("line", [("0", "0")], style="bar"),
            "`draw` has no keyword `style`",
            "keywords: name, points",
        ),
        (lambda: loose.run_defaults(t_ned=1), "`run_defaults` has no keyword `t_ned`", "`t_end`"),
        (lambda: loose.run_defaults(integrator=4), "`integrator` is a text, not 4", ""),
        (
            lambda: System.from_lagrangian("x'^2", ["x"]),
            'the Lagrangian is a SymPy expression, not "x\'^2"',
            "`kinetic`",
        ),
        (
            lambda: System.from_lagrangian(x.diff() ** 2, ["x"]),
            "the coordinate `x` is not a function of time",
            "dynamicsymbols",
        ),
        (
            lambda: System.from_lagrangian(x.diff() ** 2, [dynamicsymbols("y")]),
            "the Lagrangian has `Derivative(x(t), t)`",
            "y(t)",
        ),
        (
            lambda: System.from_lagrangian(x.diff().diff() ** 2, [x]),
            "the Lagrangian has `Derivative(x(t), (t, 2))`",
            "x(t)",
        ),
    ]
    before = system.to_toml()
    for mistake, message, help in cases:
        with pytest.raises(catena.RequestError) as caught:
            mistake()
        assert message in caught.value.message
        assert help in (caught.value.help or "")
    assert system.to_toml() == before, "what was refused is not written"


def test_mistakes_that_only_the_whole_shows_name_the_line_of_the_text() -> None:
    system = pendulum()
    system.potential(sympy.Symbol("mass") * sympy.Symbol("g"))
    with pytest.raises(catena.ModelError) as caught:
        system.model()
    problem = caught.value.problems[0]
    assert problem.source == "pendulum" and problem.text == 'potential = "g*mass"'
    assert system.to_toml().splitlines()[problem.line - 1] == problem.text
    assert problem.text[problem.column - 1 :][: problem.length] == "mass"


def test_accelerations_are_refused_where_the_format_has_none() -> None:
    system = pendulum()
    system.potential(dynamicsymbols("theta", 2))
    with pytest.raises(catena.ModelError) as caught:
        system.model()
    assert "theta''" in str(caught.value)
    json.dumps(caught.value.problems[0].message)


def test_an_empty_system_says_what_it_lacks() -> None:
    with pytest.raises(catena.ModelError) as caught:
        System().model()
    assert caught.value.message
