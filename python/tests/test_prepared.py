"""Models that were compiled once: right-hand sides, other parameters and starts, pickles, threads."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import catena


@pytest.fixture(scope="module")
def double() -> catena.Prepared:
    return catena.load("double-pendulum").prepare()


def same(one: catena.Run, other: catena.Run) -> bool:
    return list(one.table) == list(other.table) and all(
        np.array_equal(one[name], other[name], equal_nan=True) for name in one.table
    )


def test_the_right_hand_side_is_what_solve_ivp_takes(double: catena.Prepared) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    solution = integrate.solve_ivp(double.rhs, (0, 3), double.y0, method="DOP853", rtol=1e-10, atol=1e-10)
    run = double.run(t_end=3.0, rtol=1e-11, atol=1e-11)
    assert run.names == double.names
    np.testing.assert_allclose(solution.y[:, -1], run.y[:, -1], atol=1e-6)


def test_the_right_hand_side_takes_many_states_as_columns(double: catena.Prepared) -> None:
    y = np.random.default_rng(3).uniform(-2, 2, (4, 33))
    rates = double.rhs(0.0, y)
    assert rates.shape == (4, 33)
    for column in range(33):
        assert np.array_equal(rates[:, column], double.rhs(0.0, y[:, column]))
    assert np.array_equal(rates[:2], y[2:])


def test_the_right_hand_side_takes_lists_and_numbers_of_other_types(double: catena.Prepared) -> None:
    expected = double.rhs(0.0, np.array([1.0, 2.0, 0.0, 0.0]))
    assert np.array_equal(double.rhs(0, [1, 2, 0, 0]), expected)
    assert np.array_equal(double.rhs(np.float64(0), np.array([1, 2, 0, 0], np.float32)), expected)
    assert np.array_equal(double.rhs(np.array(0.0), np.array([1.0, 9, 2.0, 9, 0, 9, 0, 9])[::2]), expected)


@pytest.mark.parametrize(
    ("t", "y", "words"),
    [
        (0.0, np.zeros(3), r"`y` has the shape \(3,\), and a state has 4 numbers"),
        (0.0, np.zeros((2, 4)), r"`y` has the shape \(2, 4\)"),
        (0.0, np.zeros((4, 1, 1)), r"`y` has the shape \(4, 1, 1\)"),
        (0.0, "nothing", "`y` is no array of real numbers"),
        ("now", np.zeros(4), "`t` is no array of real numbers"),
        (np.zeros(3), np.zeros((4, 2)), r"`t` has the shape \(3,\)"),
    ],
)
def test_a_state_of_another_shape_is_refused(double: catena.Prepared, t: Any, y: Any, words: str) -> None:
    with pytest.raises(catena.RequestError, match=words):
        double.rhs(t, y)


def test_a_state_without_numbers_has_no_rate(double: catena.Prepared) -> None:
    assert np.isnan(double.rhs(0.0, np.array([np.nan, 0, 0, 0]))[2:]).all()


def test_the_start_is_the_first_row_of_a_run() -> None:
    prepared = catena.load("four-bar", {"theta2'": 5}).prepare()
    run = prepared.run(t_end=0.1)
    assert run.names == prepared.names
    np.testing.assert_array_equal(prepared.y0, run.y[:, 0])
    assert not prepared.y0.flags.writeable


def test_names_are_those_of_the_coordinates_of_the_formulation() -> None:
    chain = catena.load("chain", links=2)
    prepared = chain.prepare("multipliers")
    assert prepared.names[:6] == ["x1", "y1", "theta1", "x2", "y2", "theta2"]
    for run in (prepared.run(t_end=0.1), chain.run(t_end=0.1, formulation="multipliers")):
        assert run.names == prepared.names
        assert run.y.shape == (12, len(run.t))
        assert pickle.loads(pickle.dumps(run)).names == run.names
    assert prepared.run(t_end=0.1, columns=["x2", "theta1'"]).names == ["x2", "theta1'"]


def test_the_start_is_at_the_time_that_the_model_was_prepared_for() -> None:
    text = """
    [coordinates]
    x = "a mass"
    u = "its drive"
    [energy]
    kinetic = "1/2*(x'^2 + u'^2)"
    potential = "1/2*(x - u)^2"
    [constraints]
    drive = "u - sin(t)"
    [initial]
    x = 0
    "x'" = 0
    """
    prepared = catena.Model.from_toml(text).prepare("projection", t_start=2.0)
    np.testing.assert_allclose(prepared.y0, [0, np.sin(2.0), 0, np.cos(2.0)], atol=1e-10)
    np.testing.assert_array_equal(prepared.run(t_end=2.1).y[:, 0], prepared.y0)


@pytest.mark.parametrize(
    ("model", "formulation", "parameters", "start"),
    [
        ("double-pendulum", "minimal", {"l1": 0.8, "m2": "1/3"}, {"theta1": 0.3, "theta1'": 2}),
        ("double-pendulum", "minimal", {"l1": "800 mm"}, {"theta2": "30 deg"}),
        # moments of inertia follow from masses and lengths
        ("four-bar", "projection", {"L2": 0.35, "m3": 3.0}, {"theta2'": 4.0}),
        ("four-bar", "baumgarte", {"L2": 0.35}, {}),
        # the end of the run and the guesses follow from parameters
        ("four-bar-bodies", "recursive", {}, {}),
        ("chain", "recursive", {"length": 0.5}, {"theta1": 0.2}),
        ("lorenz", None, {"rho": 20}, {"x": 3}),
    ],
)
def test_another_run_of_what_is_compiled_equals_the_run_of_another_model(
    model: str, formulation: str | None, parameters: dict[str, Any], start: dict[str, Any],
) -> None:
    loaded = catena.load(model)
    prepared = loaded.prepare(formulation)
    end = 0.5
    varied = prepared.run(t_end=end, parameters=parameters, start=start)
    fresh = loaded.set({**parameters, **start}).prepare(prepared.formulation).run(t_end=end)
    assert same(varied, fresh)
    assert varied.certificate["model"] == fresh.certificate["model"]
    assert varied.model.parameters == fresh.model.parameters
    # and leaves nothing behind
    assert same(prepared.run(t_end=end), loaded.prepare(prepared.formulation).run(t_end=end))
    assert np.array_equal(varied.sol(0.123), fresh.sol(0.123))


def test_times_that_follow_from_parameters_follow() -> None:
    text = """
    [parameters]
    k = 4
    m = 1
    period = "2*pi*sqrt(m/k)"
    [coordinates]
    x = "displacement"
    [energy]
    kinetic = "1/2*m*x'^2"
    potential = "1/2*k*x^2"
    [initial]
    x = "1/k"
    [run]
    t_end = "period"
    """
    prepared = catena.Model.from_toml(text).prepare()
    run = prepared.run(parameters={"k": 16})
    assert run.t[-1] == pytest.approx(np.pi / 2)
    assert run["x"][0] == 1 / 16
    assert run["x"][-1] == pytest.approx(1 / 16, abs=1e-5)


def test_a_parameter_that_is_not_there_names_the_nearest(double: catena.Prepared) -> None:
    with pytest.raises(catena.ModelError, match="`l_1`") as raised:
        double.run(parameters={"l_1": 0.8})
    assert "l1" in str(raised.value.help)


def test_a_start_that_is_not_there_names_the_nearest(double: catena.Prepared) -> None:
    with pytest.raises(catena.RequestError, match="nothing at the start is called `theta_1`") as raised:
        double.run(start={"theta_1": 0.8})
    assert raised.value.help == "did you mean `theta1`?"


def test_parameters_and_starts_are_not_taken_for_each_other(double: catena.Prepared) -> None:
    with pytest.raises(catena.RequestError, match="`theta1` is no parameter, it belongs to the start"):
        double.run(parameters={"theta1": 1})
    with pytest.raises(catena.RequestError, match="`l1` is a parameter, not a part of the start"):
        double.run(start={"l1": 1})


def test_values_that_make_another_model_are_refused() -> None:
    chain = catena.load("chain").prepare()
    with pytest.raises(catena.RequestError, match="with links = 4 the model has other equations") as raised:
        chain.run(parameters={"links": 4})
    assert raised.value.help == "`model.set(...)` does it, then `prepare()`"


@pytest.mark.parametrize("value", [np.nan, np.inf, None, [1, 2], "1 +"])
def test_what_is_no_number_is_no_value(double: catena.Prepared, value: Any) -> None:
    with pytest.raises(catena.CatenaError):
        double.run(parameters={"l1": value})


def test_a_prepared_model_is_pickled_with_its_values(double: catena.Prepared) -> None:
    varied = double.set({"theta1'": 1.5}, l1=0.8)
    again = pickle.loads(pickle.dumps(varied))
    assert again.formulation == double.formulation
    assert np.array_equal(again.y0, varied.y0)
    assert same(again.run(t_end=0.3), varied.run(t_end=0.3))


def test_a_model_that_is_changed_afterwards_leaves_what_was_prepared_alone(double: catena.Prepared) -> None:
    before = double.run(t_end=0.2)
    double.model.set(l1=0.1)
    assert same(double.run(t_end=0.2), before)


def test_threads_of_python_run_the_same_and_other_models_at_once(double: catena.Prepared) -> None:
    four_bar = catena.load("four-bar").prepare()
    work: dict[str, Callable[[], catena.Run]] = {
        "double": lambda: double.run(t_end=2.0),
        "shorter": lambda: double.run(t_end=2.0, parameters={"l1": 0.7}),
        "four-bar": lambda: four_bar.run(t_end=0.5),
    }
    expected = {name: move() for name, move in work.items()}
    wrong: list[str] = []

    def compare(name: str) -> None:
        for _ in range(2):
            if not same(work[name](), expected[name]):
                wrong.append(name)

    threads = [threading.Thread(target=compare, args=(name,)) for name in list(work) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("integrator", ["hht", "generalized-alpha"])
def test_an_integrator_with_a_formulation_of_its_own_runs_again_and_again(integrator: str) -> None:
    prepared = catena.load("four-bar").prepare(integrator=integrator)
    assert same(prepared.run(t_end=0.05), prepared.run(t_end=0.05))
