"""What people who come from SciPy and pandas try first."""

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import catena


@pytest.fixture(scope="module")
def model() -> catena.Model:
    return catena.load("double-pendulum")


@pytest.mark.parametrize(
    ("keyword", "value", "help"),
    [
        ("t_span", (0, 10), "the end is `t_end`"),
        ("method", "RK45", "`integrator=`"),
        ("t_eval", [0, 1], "`run.sol(times)` has any times"),
        ("y0", [1, 2], "`model.set(...)`"),
        ("to", 3.0, "the end is `t_end`"),
        ("r_tol", 1e-6, "did you mean `rtol`?"),
    ],
)
def test_keywords_of_scipy_lead_to_ours(model: catena.Model, keyword: str, value: object, help: str) -> None:
    for run in (model.run, model.prepare().run):
        with pytest.raises(catena.RequestError, match=f"`run` has no keyword `{keyword}`\n.*{re.escape(help)}"):
            run(**{keyword: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "ours"), [("RK45", "dopri5"), ("RK23", "bs23"), ("DOP853", "dop853"), ("Radau", "radau5")]
)
def test_integrators_have_the_names_of_scipy_too(model: catena.Model, name: str, ours: str) -> None:
    assert model.run(t_end=0.1, integrator=name).certificate["integrator"] == ours


def test_a_model_is_not_made_from_a_name() -> None:
    with pytest.raises(catena.RequestError, match="a model is not made from 'four-bar'\n.*`catena.load`"):
        catena.Model("four-bar")  # type: ignore[arg-type]


def test_a_measure_is_a_text(model: catena.Model) -> None:
    with pytest.raises(catena.RequestError, match='give a text as "max:theta1"'):
        model.sweep({"l1": [1.0]}, lambda run: 1.0)  # type: ignore[arg-type]


def test_columns_of_a_plot_may_stand_in_a_list(model: catena.Model) -> None:
    run = model.run(t_end=1.0)
    assert run.plot(["theta1", "theta2"]).svg == run.plot("theta1", "theta2").svg


def test_answers_are_passed_on_as_frames(model: catena.Model) -> None:
    modes = model.modes()
    frame = pytest.importorskip("pandas") and modes.to_pandas()
    assert np.array_equal(frame["natural_hz"], modes["natural_hz"])


def test_questions_are_listed_and_each_is_a_method() -> None:
    assert all(callable(getattr(catena.Model, name)) for name in catena.questions())


def test_examples_of_options_are_written_as_keywords(model: catena.Model) -> None:
    with pytest.raises(catena.RequestError, match='name one with `drive`, as in `drive="theta2"`$'):
        model.kinematics()
    with pytest.raises(catena.RequestError, match='as in `over="f=0.1:2:100"`$'):
        model.response()


def test_wrong_keywords_of_a_question_are_answered(model: catena.Model) -> None:
    with pytest.raises(catena.RequestError, match="`inverse` has no keyword `t_end`\n.*the end is `to`"):
        model.inverse(t_end=1.0)  # type: ignore[call-arg]
    with pytest.raises(catena.RequestError, match="`threads` cannot be -1"):
        model.modes(threads=-1)


def test_a_motor_of_constant_speed_is_an_angle_that_grows() -> None:
    mechanism = catena.Mechanism("crank")
    crank = mechanism.body("crank", mass=1, length=1)
    pin = mechanism.revolute("pin", (0, 0), crank["A"])
    with pytest.raises(catena.RequestError, match='`motor` has no keyword `speed`\n.*angle="speed\\*t"'):
        mechanism.motor(pin, speed=3)  # type: ignore[call-arg]


def test_an_event_that_is_not_there_names_the_nearest_in_every_table(model: catena.Model) -> None:
    run = model.run(t_end=0.5)
    for events in (run.events, run.t_events, run.y_events):
        with pytest.raises(KeyError, match="did you mean `section`"):
            events["sections"]


def test_a_class_of_executors_is_one_that_makes_them(model: catena.Model) -> None:
    there = model.sweep({"theta1": [0.1, 0.2]}, executor=ThreadPoolExecutor, t_end=0.1)
    here = model.sweep({"theta1": [0.1, 0.2]}, t_end=0.1)
    assert np.array_equal(there["amplitude:theta1"], here["amplitude:theta1"])
