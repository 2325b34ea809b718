"""Runs: arrays, dense output, events, certificates, pictures, files."""

from __future__ import annotations

import copy
import json
import os
import pickle
import pathlib

import numpy as np
import pytest

import catena


@pytest.fixture(scope="module")
def pendulum() -> catena.Run:
    return catena.load("double-pendulum").run(t_end=3.0, rtol=1e-10, atol=1e-12)


def test_columns_share_the_memory_of_the_run_and_cannot_be_written(pendulum: catena.Run) -> None:
    first, again = pendulum["theta1"], pendulum._handle().columns()["theta1"]
    assert first.ctypes.data == again.ctypes.data
    assert not first.flags.writeable and not first.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0


def test_columns_outlive_everything_else() -> None:
    theta = catena.load("double-pendulum").run(t_end=1.0)["theta1"]
    expected = theta.copy()
    for _ in range(20):
        catena.load("double-pendulum").run(t_end=1.0)
    assert np.array_equal(theta, expected)


def test_states_have_the_shape_of_solve_ivp(pendulum: catena.Run) -> None:
    assert pendulum.y.shape == (4, len(pendulum.t))
    for row, name in zip(pendulum.y, pendulum.names):
        assert np.array_equal(row, pendulum[name])


def test_dense_output_passes_through_the_rows_and_is_as_right_between_them(pendulum: catena.Run) -> None:
    assert np.array_equal(pendulum.sol(pendulum.t), pendulum.y)
    times = np.array([2.345, 0.001, 1.0, 1.0])
    exact = catena.load("double-pendulum").run(t_end=3.0, rtol=1e-13, atol=1e-14).sol(times)
    assert np.abs(pendulum.sol(times) - exact).max() < 1e-7
    assert np.array_equal(pendulum.sol(2.345), pendulum.sol(times)[:, 0])


def test_times_outside_the_run_are_refused(pendulum: catena.Run) -> None:
    with pytest.raises(catena.RequestError, match="goes from 0 to 3 s"):
        pendulum.sol(3.5)
    with pytest.raises(catena.RequestError, match="2 dimensions"):
        pendulum.sol(np.zeros((2, 2)))
    with pytest.raises(catena.RequestError, match="not a number"):
        pendulum.sol(float("nan"))


def test_a_pendulum_keeps_its_energy_and_its_period() -> None:
    length, g, small = 0.5, 9.81, 1e-3
    run = catena.load("single-pendulum", l=length, theta=small).run(t_end=10.0, rtol=1e-11, atol=1e-15)
    frequency = np.sqrt(3 * g / (2 * length)) * (1 - small**2 / 16)  # a rod
    assert np.abs(run["theta"] - small * np.cos(frequency * run.t)).max() < 1e-8


def test_events_are_found_by_their_names() -> None:
    run = catena.load("double-pendulum").run()
    assert set(run.t_events) == {"section", "turnover"}
    times = run.t_events["section"]
    assert len(times) == run.events["section"].rows and np.all(np.diff(times) > 0)


def test_the_certificate_is_what_the_command_line_prints_as_json(pendulum: catena.Run) -> None:
    assert pendulum.verdict == "good" and pendulum.status == 0 and pendulum.success
    assert pendulum.nfev == pendulum.certificate["evaluations"] > 100
    assert "good" in str(pendulum) and "good" in repr(pendulum)


def test_a_run_that_cannot_go_on_says_so_and_keeps_its_rows() -> None:
    run = catena.load("double-pendulum").run(t_end=5.0, max_steps=20)
    assert run.status == -1 and not run.success
    assert "step" in run.message and 0 < run.t[-1] < 5.0


def test_options_take_numbers_of_numpy_and_formulas() -> None:
    model = catena.load("double-pendulum")
    plain = model.run(t_end=1.0, rtol=1e-8)
    assert np.array_equal(plain.y, model.run(t_end=np.float64(1.0), rtol=np.float64(1e-8)).y)
    assert np.array_equal(plain.y, model.run(t_end="1000 ms", rtol=1e-8).y)
    only = model.run(t_end=1.0, columns=["theta1", "energy"])
    assert list(only.table) == ["t", "theta1", "energy"]


def test_options_of_methods_are_given_by_name() -> None:
    run = catena.load("four-bar").run(t_end=0.5, formulation="baumgarte", with_={"omega": 20, "xi": 0.9})
    assert run.certificate["formulation"] == "baumgarte"
    with pytest.raises(catena.RequestError, match="omga"):
        catena.load("four-bar").run(t_end=0.5, formulation="baumgarte", with_={"omga": 20})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"integrator": "dop85"}, "did you mean `dop853`"),
        ({"formulation": "recursiv"}, "did you mean `recursive`"),
        ({"rtol": -1.0}, "greater than 0"),
        ({"rtol": float("nan")}, "cannot be nan"),
        ({"t_end": [1.0, 2.0]}, "takes one value, not 2"),
        ({"t_end": object()}, "a value of the type `object`"),
        ({"t_end": "ten"}, "ten"),
        ({"columns": ["theta9"]}, "theta9"),
    ],
)
def test_wrong_options_are_refused_in_words(options: dict[str, object], words: str) -> None:
    with pytest.raises(catena.RequestError, match=words):
        catena.load("double-pendulum").run(**options)  # type: ignore[arg-type]


def test_a_column_that_is_not_there_names_the_nearest(pendulum: catena.Run) -> None:
    with pytest.raises(catena.RequestError, match="did you mean `theta1`"):
        pendulum["thetta1"]
    with pytest.raises(KeyError):
        pendulum["thetal"]
    assert "thetal" not in pendulum.table and pendulum.table.get("thetal") is None


def test_tables_go_to_pandas_polars_and_xarray(pendulum: catena.Run) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pendulum.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame) == list(pendulum.table)
    assert np.array_equal(frame["theta1"], pendulum["theta1"]) and frame.attrs["units"]["t"] == "s"
    polars = pytest.importorskip("polars")
    assert pendulum.to_polars().shape == (len(pendulum.t), len(pendulum.table)) and polars
    pytest.importorskip("xarray")
    dataset = pendulum.to_xarray()
    assert dataset["theta1"].dims == ("t",) and dataset["theta1"].attrs["units"] == "rad"
    assert np.array_equal(dataset["t"], pendulum.t)


def test_runs_are_written_in_the_formats_of_the_command_line(pendulum: catena.Run, tmp_path: pathlib.Path) -> None:
    pendulum.write(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as kept:
        assert any(np.array_equal(kept[name], pendulum["theta1"]) for name in kept.files)
    pendulum.write(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())
    with pytest.raises(catena.RequestError, match="xyz"):
        pendulum.write(tmp_path / "run.xyz")


def test_pictures_and_films_are_shown_and_saved(pendulum: catena.Run, tmp_path: pathlib.Path) -> None:
    assert pendulum.plot("theta1", degrees=True)._repr_html_().startswith("<svg")
    pendulum.plot().save(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    film = pendulum.animate()
    assert film and "<iframe" in film._repr_html_() and 'srcdoc="' in film._repr_html_()
    film.save(tmp_path / "film.html")
    assert "<script" in (tmp_path / "film.html").read_text(encoding="utf-8")
    with pytest.raises(catena.RequestError, match="no ending"):
        film.save(tmp_path / "film")
    with pytest.raises(catena.RequestError, match="theta7"):
        pendulum.plot("theta7").svg
    assert "<svg" in pendulum._repr_html_() and pendulum.report().lstrip().startswith("<!")


def test_runs_are_pickled_with_everything_that_can_be_seen_of_them(pendulum: catena.Run) -> None:
    other = pickle.loads(pickle.dumps(pendulum))
    assert np.array_equal(other.y, pendulum.y) and other.certificate == pendulum.certificate
    assert np.array_equal(other.sol(0.5), pendulum.sol(0.5)) and other.units == pendulum.units
    assert np.array_equal(copy.deepcopy(pendulum).t, pendulum.t)


def test_a_run_from_another_version_is_refused_with_both(pendulum: catena.Run) -> None:
    state = pendulum.__getstate__()
    state["version"] = "0.0.1"
    with pytest.raises(catena.VersionError, match="Catena 0.0.1 cannot be read by Catena"):
        catena.Run.__new__(catena.Run).__setstate__(state)


def test_a_progress_function_is_told_and_may_end_the_run() -> None:
    class Enough(Exception):
        pass

    def told(part: float) -> None:
        assert 0.0 <= part <= 1.0
        raise Enough

    with pytest.raises(Enough):
        catena.load("double-pendulum").run(
            t_end=1e6, rtol=1e-9, max_steps=10**9, every=1e3, progress=told
        )


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_ends_a_run_and_a_question_in_good_order() -> None:
    import signal
    import threading

    model = catena.load("double-pendulum")
    for work in (
        lambda: model.run(t_end=1e6, every=1e3, max_steps=10**9, progress=False),
        lambda: model.lyapunov(t_end=1e6, progress=False),
    ):
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()
        timer.join()
    assert model.run(t_end=0.1).success


def test_threads_of_python_run_different_models_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    names = ["double-pendulum", "four-bar", "single-pendulum", "slider-crank"] * 3
    alone = {name: catena.load(name).run(t_end=0.5).y for name in set(names)}
    with ThreadPoolExecutor(4) as pool:
        for name, y in zip(names, pool.map(lambda name: catena.load(name).run(t_end=0.5).y, names)):
            assert np.array_equal(y, alone[name])
    prepared = catena.load("double-pendulum").prepare()
    with ThreadPoolExecutor(4) as pool:
        for y in pool.map(lambda _: prepared.run(t_end=0.5).y, range(8)):
            assert np.array_equal(y, alone["double-pendulum"])


def test_a_column_that_has_to_be_asked_for_says_how() -> None:
    linkage = catena.load("four-bar-bodies")
    run = linkage.run(t_end=0.2)
    for name in ("B_f", "crank_angle''"):
        with pytest.raises(KeyError, match=r'run\(columns=\["\*", "' + name + r'"\]\) has it'):
            run[name]
        assert len(linkage.run(t_end=0.2, columns=["*", name])[name]) == len(run.t)
    with pytest.raises(KeyError, match="did you mean `B_fx`"):
        run["B_gx"]


def test_certify_has_three_values() -> None:
    model = catena.load("double-pendulum")
    assert model.run(1.0).certificate["error_estimate"] is not None
    assert model.run(1.0, certify=True).certificate["error_estimate"] is not None
    assert model.run(1.0, certify=False).certificate["error_estimate"] is None


def test_dense_output_has_every_state_whatever_columns_were_asked_for(pendulum: catena.Run) -> None:
    few = catena.load("double-pendulum").run(t_end=3.0, rtol=1e-10, atol=1e-12, columns=["theta2", "tip_x"])
    assert few.names == ["theta2"] and few.y.shape[0] == 1
    assert np.array_equal(few.sol(0.5), pendulum.sol(0.5))


def test_an_event_that_is_not_there_names_the_nearest(pendulum: catena.Run) -> None:
    with pytest.raises(catena.RequestError, match="did you mean `turnover`"):
        pendulum.events["turnovr"]
    assert pendulum.y_events["turnover"].shape[1] == 4


def test_a_run_is_a_mapping_of_its_columns(pendulum: catena.Run) -> None:
    assert "theta1" in pendulum and "theta9" not in pendulum
    assert list(pendulum) == list(pendulum.table)
