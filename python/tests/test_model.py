"""Models: loading, reading, changing, examining, deriving, pickling; and what is wrong with them."""

from __future__ import annotations

import pathlib
import pickle

import pytest

import catena

TEXT = """title = "Pendulum"
[parameters]
m = 1
l = 2
g = 9.81
[coordinates]
theta = "angle from the downward vertical"
[energy]
kinetic = "1/2*m*l^2*theta'^2"
potential = "-m*g*l*cos(theta)"
"""


def test_every_ready_system_loads_and_is_drawn_or_says_why_not() -> None:
    for name in catena.systems():
        model = catena.load(name)
        assert model.title and model.name == name
        assert pickle.loads(pickle.dumps(model)) == model
        try:
            assert model.draw().svg.startswith("<svg")
        except catena.MotionError as error:
            assert "what it looks like" in error.message


def test_a_model_is_changed_into_another_one() -> None:
    model = catena.Model.from_toml(TEXT, name="mine")
    longer = model.set(l=3)
    assert (model.parameters["l"], longer.parameters["l"]) == (2.0, 3.0)
    assert longer.set(m=5).parameters == {"m": 5.0, "l": 3.0, "g": 9.81}
    assert longer != model and model.set(l=3) == longer and len({longer, model, model.set(l=3)}) == 2


def test_rates_and_formulas_are_set_by_a_dictionary() -> None:
    model = catena.Model.from_toml(TEXT).set({"theta'": "2*pi"}, theta="30 deg")
    start = model.run(t_end=0.1)
    assert start["theta'"][0] == pytest.approx(6.283185307179586)
    assert start["theta"][0] == pytest.approx(0.5235987755982988)


def test_a_file_is_loaded_by_its_path(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "pendulum.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert catena.load(path).title == "Pendulum"
    assert catena.load(str(path), m=2).parameters["m"] == 2.0


def test_the_derivation_is_shown_in_every_way() -> None:
    derivation = catena.Model.from_toml(TEXT).derive()
    assert "θ" in str(derivation) and "\\theta" in derivation.latex()
    assert "<math" in derivation._repr_html_() and derivation.steps[0]["number"] == 1
    assert derivation.check is not None and derivation.check["states"] > 0


def test_coordinates_that_a_model_does_not_have_are_refused() -> None:
    with pytest.raises(catena.RequestError, match="coordinates"):
        catena.Model.from_toml(TEXT).derive("absolut")


def test_the_equations_are_exported() -> None:
    assert "double" in catena.Model.from_toml(TEXT).export("c")
    with pytest.raises(catena.RequestError, match="did you mean `python`"):
        catena.Model.from_toml(TEXT).export("pyton")


def test_a_wrong_model_points_at_the_place() -> None:
    with pytest.raises(catena.ModelError) as caught:
        catena.Model.from_toml(TEXT.replace("cos(theta)", "cos(thetta)"), name="mine.toml")
    error = caught.value
    (problem,) = error.problems
    assert (problem.source, problem.line) == ("mine.toml", 10)
    assert problem.text[problem.column - 1 :].startswith("thetta") and problem.length == len("thetta")
    assert "^^^^^^" in str(error) and "mine.toml:10:" in str(error)
    assert error.help is not None and "theta" in error.help
    assert isinstance(error, ValueError)


def test_a_wrong_setting_points_at_itself() -> None:
    with pytest.raises(catena.ModelError, match="did you mean `l1`"):
        catena.load("double-pendulum", ll=3)
    with pytest.raises(catena.RequestError, match="cannot be inf"):
        catena.load("double-pendulum", l1=float("inf"))
    with pytest.raises(catena.RequestError, match="a value of the type `list`"):
        catena.load("double-pendulum", l1=[1.0])


def test_a_name_that_is_not_there_names_the_nearest() -> None:
    with pytest.raises(catena.NotFoundError, match="did you mean `double-pendulum`"):
        catena.load("double_pendulm")
    with pytest.raises(LookupError):
        catena.load("nothing at all")


def test_errors_are_pickled_with_their_places() -> None:
    with pytest.raises(catena.ModelError) as caught:
        catena.Model.from_toml("[energy]\nkinetic = 1\nspeed = 3\n")
    other = pickle.loads(pickle.dumps(caught.value))
    assert str(other) == str(caught.value) and other.problems == caught.value.problems


def test_values_are_set_once_and_by_name() -> None:
    with pytest.raises(catena.RequestError, match="`theta1` is set twice"):
        catena.load("double-pendulum", {"theta1": 1}, theta1=2)
    with pytest.raises(catena.RequestError, match="1 is no name"):
        catena.load("double-pendulum", {1: 2})  # type: ignore[dict-item]
    with pytest.raises(catena.RequestError, match="`l1` cannot be True"):
        catena.load("double-pendulum", l1=True)
    with pytest.raises(catena.RequestError, match="no dictionary of values"):
        catena.load("double-pendulum").set("l1")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        catena.load("double-pendulum").parameters["l1"] = 2.0  # type: ignore[index]
