"""What a notebook shows of models, motions, derivations and diagnoses."""

import json

import pytest

import catena
from catena._display import words_html


@pytest.fixture(scope="module")
def linkage_run() -> catena.Run:
    return catena.load("four-bar-bodies").run(t_end=1.0)


def bead() -> catena.Model:
    hoop = catena.System("Bead < hoop")
    hoop.coordinate("theta")
    hoop.kinetic("theta'^2")
    return hoop.model()


def test_pictures_are_no_wider_than_the_page(linkage_run: catena.Run) -> None:
    assert linkage_run.plot()._repr_html_().startswith('<svg style="max-width:100%;height:auto" ')
    assert linkage_run.plot().svg.startswith("<svg xmlns")


def test_a_plot_has_the_columns_that_are_named_and_no_others(linkage_run: catena.Run) -> None:
    svg = linkage_run.plot("energy").svg
    assert "energy" in svg and "kinetic" not in svg and "angle" not in svg


def test_a_film_plays_in_a_frame_of_its_own(linkage_run: catena.Run) -> None:
    shown = linkage_run.animate()._repr_html_()
    assert shown.startswith("<iframe ") and shown.count("<") == 2, "the page of the player is escaped"
    assert 'sandbox="allow-scripts' in shown and "data-theme=&quot;light&quot;" in shown


def test_a_film_and_a_report_have_the_verdict_of_their_run(linkage_run: catena.Run) -> None:
    assert linkage_run.verdict == "good"
    for page in (linkage_run.animate().html, linkage_run.report()):
        assert "was not estimated" not in page
    hasty = catena.load("four-bar-bodies").run(t_end=1.0, certify=False)
    assert hasty.verdict == "doubtful" and "was not estimated" in hasty.animate().html


def test_words_keep_their_columns(linkage_run: catena.Run) -> None:
    assert "monospace" in linkage_run._repr_html_().split("</pre>")[0]
    assert "monospace" in catena.load("double-pendulum").modes()._repr_html_().split("</pre>")[0]


def test_sentences_are_broken_and_rows_of_tables_are_not() -> None:
    row, sentence = "  name  " + 30 * "0.123  ", 40 * "word "
    shown = words_html(f"{row}\n{sentence}\n")
    assert f">{row}\n" in shown and shown.count("\n") == 2


def test_a_model_that_does_not_say_what_it_looks_like_shows_its_title() -> None:
    assert bead()._repr_html_() == "<h4>Bead &lt; hoop</h4>"
    assert bead().run(t_end=1.0)._repr_html_().startswith("<pre")


def test_short_steps_of_a_derivation_are_open_and_long_ones_folded() -> None:
    short = catena.load("single-pendulum").derive()._repr_html_()
    assert short.count("<details") == short.count("open>") and "<math" in short
    long = catena.load("triple-pendulum").derive()._repr_html_()
    assert 0 < long.count("open>") < long.count("<details")


def test_a_derivation_beyond_reading_points_to_its_files() -> None:
    shown = catena.load("chain").derive()._repr_html_()
    assert "too long to be shown: `.latex()` and `print` have them" in shown
    assert len(shown) < 10**6


def test_a_diagnosis_is_a_dictionary_that_is_read_in_words() -> None:
    found = catena.load("four-bar").check()
    assert json.loads(json.dumps(found)) == found and found.can_run and found.warnings == []
    text = str(found)
    assert "1 degree of freedom by the rank of the constraints, 1 by count" in text
    assert text.endswith("The model can run.")
    assert "<table" in found._repr_html_()


def test_a_diagnosis_says_why_a_model_cannot_run() -> None:
    found = catena.load("four-bar-bodies", L3=0.02).check()
    assert not found.can_run
    assert found.warnings[0].startswith("the mechanism cannot be closed: the joint `C` stays")
    for shown in (str(found), found._repr_html_()):
        assert "error" in shown and "perhaps the parts are too short to meet" in shown and "cannot run" in shown


def test_more_poses_make_a_larger_drawing(linkage_run: catena.Run) -> None:
    one, five = linkage_run.draw().svg, linkage_run.draw(5).svg
    assert len(five) > len(one)
    assert len(linkage_run.draw(forces=True, trails=True).svg) > len(one)


def test_names_are_drawn_if_they_are_wanted() -> None:
    linkage = catena.load("four-bar-bodies")
    assert "coupler" in linkage.draw().svg and "coupler" not in linkage.draw(names=False).svg


@pytest.mark.parametrize("poses", [0, -1, 2.5, True, "five"])
def test_poses_that_cannot_be_counted_are_refused(linkage_run: catena.Run, poses: object) -> None:
    with pytest.raises(catena.RequestError, match="`poses` cannot be .*\n.*a whole number from 1 on"):
        linkage_run.draw(poses)  # type: ignore[arg-type]


def test_a_motion_without_a_drawing_cannot_be_drawn() -> None:
    with pytest.raises(catena.MotionError, match="the model does not say what it looks like"):
        bead().run(t_end=1.0).draw().svg  # noqa: B018
