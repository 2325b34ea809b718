"""Questions: every one of the catalogue is a method with the catalogue's own options."""

from __future__ import annotations

import inspect
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest

import catena
from catena import _questions
from catena._catalogue import catalogue, kinds_of_run
from catena._write_questions import written


def test_the_methods_are_those_of_the_catalogue() -> None:
    assert pathlib.Path(_questions.__file__).read_text(encoding="utf-8") == written(), (
        "run python -m catena._write_questions"
    )


def test_a_run_takes_every_option_of_the_catalogue_and_no_other() -> None:
    keywords = {name.removesuffix("_") for name in inspect.signature(catena.Model.run).parameters}
    assert keywords - {"self", "progress"} == set(kinds_of_run()) - {"no_certify"}


def test_the_modes_of_a_pendulum_are_those_of_the_formula() -> None:
    modes = catena.load("single-pendulum", l=0.7).modes()
    assert modes["natural_hz"][0] == pytest.approx(np.sqrt(3 * 9.81 / (2 * 0.7)) / (2 * np.pi), rel=1e-12)
    assert modes.units["natural_hz"] == "Hz" and modes.error_estimate is not None
    assert modes.facts["question"] == "modes" and "Hz" in str(modes)
    assert modes.plot().svg.startswith("<svg") and modes._repr_html_()


def test_ranges_are_given_as_tuples_arrays_or_texts() -> None:
    model = catena.load("driven-pendulum")
    name = next(iter(model.parameters))
    value = model.parameters[name]
    values = [value, value * 1.01]
    answers = [
        model.classify(over=over, periods=64)
        for over in ({name: (values[0], values[1], 2)}, {name: np.array(values)}, f"{name}={values[0]!r}:{values[1]!r}:2")
    ]
    for answer in answers[1:]:
        assert answer.words == answers[0].words


def test_an_answer_is_pickled() -> None:
    answer = catena.load("double-pendulum").modes()
    other = pickle.loads(pickle.dumps(answer))
    assert other.words == answer.words and np.array_equal(other["natural_hz"], answer["natural_hz"])
    assert other.plot().svg == answer.plot().svg
    with pytest.raises(catena.RequestError, match="only the SVG"):
        other.plot().save("picture.png")


@pytest.mark.parametrize(
    ("question", "options", "words"),
    [
        ("mods", {}, "did you mean `modes`"),
        ("spectrum", {"widow": "hann"}, "did you mean `window`"),
        ("spectrum", {"window": "square"}, "square"),
        ("kinematics", {"points": 2.5}, "2.5"),
    ],
)
def test_wrong_questions_are_refused_in_words(question: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(catena.RequestError, match=words):
        catena.load("double-pendulum").ask(question, **options)


def test_a_question_that_a_model_cannot_answer_says_why() -> None:
    with pytest.raises(catena.CatenaError) as caught:
        catena.load("double-pendulum").response(over={"l1": (1.0, 2.0, 3)})
    assert caught.value.message and caught.value.help


def test_what_is_followed_is_given_by_a_dictionary() -> None:
    model = catena.load("driven-pendulum")
    name = "drive"
    followed = model.continuation(over={name: (0.2, 0.3)}, points=5)
    assert followed.words == model.continuation(over=f"{name}=0.2:0.3", points=5).words


def test_a_tuple_is_a_range_and_a_list_has_values() -> None:
    with pytest.raises(catena.RequestError, match="a tuple is"):
        catena.load("driven-pendulum").classify(over={"drive": (0.2, 0.3, 0.4)})
