"""What people who come from SciPy and pandas try first."""

import re

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
