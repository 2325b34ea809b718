"""Sweeps: shapes, names, status, files, what is refused. Executors are in test_sweep_executors.py."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import pickle
import signal
import subprocess
import threading
from typing import Any

import numpy as np
import pytest

import catena

BINARY = pathlib.Path(os.environ.get("CATENA", pathlib.Path(__file__).parents[2] / "target" / "debug" / "catena"))


@pytest.fixture(scope="module")
def pendulum() -> catena.Model:
    return catena.load("double-pendulum")


@pytest.fixture(scope="module")
def found(pendulum: catena.Model) -> catena.Sweep:
    over = {"theta1": (0.1, 1.5, 5), "m2": np.array([1.0, 2.0, 3.0])}
    return pendulum.sweep(over, ["last:theta1", "max:energy"], t_end=1.0, every=0.1, rtol=1e-10)


def test_numbers_have_the_shape_of_the_grid_and_the_last_axis_is_the_last_dimension(found: catena.Sweep) -> None:
    assert list(found.axes) == ["theta1", "m2"]
    assert found["last:theta1"].shape == (5, 3) == found.shape
    assert found.axes["theta1"].tolist() == pytest.approx([0.1, 0.45, 0.8, 1.15, 1.5])
    assert found.complete and (found.status == "done").all()
    assert not found["last:theta1"].flags.writeable and not found.axes["m2"].flags.writeable


def test_every_cell_is_the_run_with_its_values(pendulum: catena.Model, found: catena.Sweep) -> None:
    for i, j in [(0, 0), (3, 1), (4, 2)]:
        values = {"theta1": float(found.axes["theta1"][i]), "m2": float(found.axes["m2"][j])}
        run = pendulum.set(values).run(t_end=1.0, every=0.1, rtol=1e-10)
        assert found["last:theta1"][i, j] == pytest.approx(run["theta1"][-1], rel=1e-8)
        assert found["max:energy"][i, j] == pytest.approx(run["energy"].max(), rel=1e-8)


def test_units_and_processors_are_known(found: catena.Sweep) -> None:
    assert found.units == {"theta1": "rad", "m2": "", "last:theta1": "rad", "max:energy": "J"}
    assert sum(found.processors.values()) == found.attempt["blocks"]
    assert all(processor for processor in found.processors)


def test_without_a_measure_the_amplitude_of_the_first_coordinate_is_kept(pendulum: catena.Model) -> None:
    assert pendulum.sweep({"theta1": (0.1, 1.0, 3)}, t_end=0.5).measures == ["amplitude:theta1"]


def test_ranges_are_lists_arrays_texts_and_logarithmic(pendulum: catena.Model) -> None:
    def axis(values: Any) -> list[float]:
        axes: dict[str, Any] = pendulum.sweep({"m1": values}, t_end=0.01).axes
        return list(axes["m1"])

    assert axis((1, 100, 3, "log")) == pytest.approx([1, 10, 100])
    assert axis("1:100:3:log") == pytest.approx([1, 10, 100])
    assert axis([2, 1]) == [2, 1]
    assert axis(np.arange(10, dtype=np.float32)[1::4]) == [1, 5, 9]
    assert axis((1.0, 2.0, np.int64(2))) == [1, 2]


def test_a_trajectory_that_fails_is_nan_with_words(pendulum: catena.Model) -> None:
    found = pendulum.sweep({"m1": [1.0, 0.0], "m2": [1.0, 0.0]}, "last:theta1", t_end=0.1)
    assert np.isnan(found["last:theta1"]).sum() == len(found.failed["reason"]) > 0
    assert found.status[1, 1] == "the motion is not finite after t = 0 s" and found.status[0, 0] == "done"
    assert found.failed["m1"][-1] == 0.0 and found.failed["reason"][-1] == found.status[1, 1]
    assert found.complete and "failed" in repr(found)


def test_numbers_are_those_of_the_command_line(pendulum: catena.Model, tmp_path: pathlib.Path) -> None:
    if not BINARY.exists():
        pytest.skip("the program is not built here")
    command = "sweep double-pendulum --over theta1=0.1:1.5:50 --over m2=1,2,0 --to 2"
    command += " --measure last:theta1 --measure rms:energy"
    there = tmp_path / "there.csv"
    subprocess.run([BINARY, *command.split(), "--export", there], check=True, capture_output=True)
    found = pendulum.sweep({"theta1": (0.1, 1.5, 50), "m2": [1, 2, 0]}, ["last:theta1", "rms:energy"], t_end=2)
    found.write(tmp_path / "here.csv")
    assert (tmp_path / "here.csv").read_text() == there.read_text()


def test_a_file_keeps_what_an_interrupted_sweep_has_found(pendulum: catena.Model, tmp_path: pathlib.Path) -> None:
    over, store = {"theta1": (0.1, 3.0, 1500)}, tmp_path / "map.sweep"

    def interrupt(part: float) -> None:
        if part > 0:
            raise KeyboardInterrupt

    words = r"interrupted: \d+ of 63 blocks are kept in `.*map.sweep`; the same call with resume=True computes the rest"
    with pytest.raises(KeyboardInterrupt, match=words):
        pendulum.sweep(over, "last:theta1", t_end=400, store=store, progress=interrupt)
    part = catena.read_sweep(store)
    assert not part.complete and part.computed.any() and "not computed" in repr(part)
    assert np.isnan(part["last:theta1"][~part.computed]).all()
    assert (part.status == "not computed").any()
    whole = pendulum.sweep(over, "last:theta1", t_end=400, store=store, resume=True)
    assert whole.complete and whole.attempt["blocks"] < 63
    alone = pendulum.sweep(over, "last:theta1", t_end=400)
    assert whole["last:theta1"].tobytes() == alone["last:theta1"].tobytes()
    assert catena.read_sweep(store)["last:theta1"].tobytes() == alone["last:theta1"].tobytes()


def test_control_c_ends_a_sweep_and_says_what_would_keep_it(pendulum: catena.Model) -> None:
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt, match='nothing is kept; with store="map.sweep" the same call would go on'):
        pendulum.sweep({"theta1": (0.1, 3.0, 1000)}, t_end=1e5, max_steps=10**9)
    timer.join()


def test_an_existing_file_is_not_written_over(pendulum: catena.Model, tmp_path: pathlib.Path) -> None:
    store = tmp_path / "map.sweep"
    pendulum.sweep({"theta1": (0.1, 3.0, 9)}, t_end=0.1, store=store)
    with pytest.raises(catena.RequestError, match="already holds 2 of 2 blocks of this sweep") as refused:
        pendulum.sweep({"theta1": (0.1, 3.0, 9)}, t_end=0.1, store=store)
    assert refused.value.help == "continue it with resume=True, or name another file"
    with pytest.raises(catena.RequestError, match="holds another sweep: `to` is 0.1 there and 0.2 here"):
        pendulum.sweep({"theta1": (0.1, 3.0, 9)}, t_end=0.2, store=store, resume=True)
    (tmp_path / "text").write_text("no sweep")
    with pytest.raises(catena.FileError, match="is not the result of a sweep"):
        pendulum.sweep({"theta1": (0.1, 3.0, 9)}, t_end=0.1, store=tmp_path / "text")
    with pytest.raises(catena.FileError, match="there is no file"):
        catena.read_sweep(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("over", "keywords", "message", "help"),
    [
        ({"thet1": (0, 1, 3)}, {}, "`thet1` is neither a parameter nor an initial value", "did you mean `theta1`?"),
        ({}, {}, "nothing is varied", 'over={"theta1": (0, 2, 100)}'),
        ([("theta1", 1)], {}, "`over` cannot be a value of the type `list`", "give a dictionary"),
        ({"theta1": []}, {}, "there are no values of `theta1` to run through", "give a list of numbers"),
        ({"theta1": [0.1, float("nan")]}, {}, "`theta1` cannot be nan", "give a finite number"),
        ({"theta1": np.ones((2, 2))}, {}, "the values of `theta1` have 2 dimensions", "give a list of numbers"),
        ({"theta1": [object()]}, {}, "`theta1` cannot be <object", "give a number"),
        ({"theta1": (1, 0, 5)}, {}, "the range runs backwards", "write theta1=0:1:5"),
        ({"theta1": (0, 1, 0)}, {}, "it asks for 0 values", "a whole number from 1 up"),
        ({"theta1": (0, 1, 3)}, {"measure": "max:thet2"}, "thet2", "did you mean `theta2`?"),
        ({"theta1": (0, 1, 3)}, {"measure": "most:theta1"}, "`most:theta1` is no measure", "write STATISTIC:COLUMN"),
        ({"theta1": (0, 1, 3)}, {"measure": [3]}, "`measure` cannot be 3", '"max:theta1"'),
        ({"theta1": (0, 1, 3)}, {"t_end": "50/q"}, "`q` is not a parameter", "a formula of numbers and parameters"),
        ({"theta1": (0, 1, 3)}, {"after": 2.0}, "nothing is left to look at", "take a smaller `after`"),
        ({"theta1": (0, 1, 3)}, {"rtol": -1.0}, "rtol", ""),
        ({"theta1": (0, 1, 3)}, {"threads": 0}, "`threads` cannot be 0", "a whole number from 1 on"),
        ({"theta1": (0, 1, 3)}, {"threads": 1.5}, "`threads` cannot be 1.5", "a whole number from 1 on"),
        ({"theta1": (0, 1, 3)}, {"resume": True}, "`resume` continues a file, and none is named", 'store="map.sweep"'),
        ({"theta1": (0, 1, 3)}, {"t_span": (0, 1)}, "`sweep` has no keyword `t_span`", "the end is `t_end`"),
        ({"theta1": (0, 1, 2000), "m1": (1, 2, 2000)}, {}, "4000000 cells need a file", 'store="map.sweep"'),
    ],
)
def test_a_bad_request_is_told_with_what_to_do(
    pendulum: catena.Model, over: Any, keywords: dict[str, Any], message: str, help: str
) -> None:
    with pytest.raises(catena.RequestError) as refused:
        pendulum.sweep(over, **{"t_end": 1.0, **keywords})
    assert message in refused.value.message
    assert help in (refused.value.help or "")


def test_what_the_model_was_given_cannot_be_varied(pendulum: catena.Model) -> None:
    with pytest.raises(catena.RequestError, match="`m1` is varied, and `m1=2` gives it one value"):
        pendulum.set(m1=2).sweep({"m1": [1, 2]}, t_end=1.0)


def test_a_measure_that_is_not_there_names_the_nearest(found: catena.Sweep) -> None:
    with pytest.raises(catena.RequestError, match="there is no column `last:theta2`") as refused:
        found["last:theta2"]
    assert refused.value.help == "did you mean `last:theta1`?"


def test_a_pickled_sweep_is_the_same_and_can_still_be_drawn(found: catena.Sweep, tmp_path: pathlib.Path) -> None:
    again = pickle.loads(pickle.dumps(found))
    assert again["max:energy"].tobytes() == found["max:energy"].tobytes()
    assert again.plot().svg == found.plot().svg
    again.write(tmp_path / "again.csv")
    found.write(tmp_path / "found.csv")
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "found.csv").read_text()


def test_a_sweep_that_another_version_has_pickled_is_refused(found: catena.Sweep) -> None:
    state = {**found.__getstate__(), "version": "0.0.1"}
    words = f"a sweep of Catena 0.0.1 cannot be read by Catena {catena.__version__}"
    with pytest.raises(catena.VersionError, match=words):
        catena.Sweep.__new__(catena.Sweep).__setstate__(state)


def test_a_notebook_shows_extremes_and_a_map(found: catena.Sweep) -> None:
    shown = found._repr_html_()
    assert "<svg" in shown and "max:energy, J" in shown and "theta1 = 1.5" in shown


def test_three_axes_cannot_be_drawn_and_say_so(pendulum: catena.Model) -> None:
    cube = pendulum.sweep({"theta1": [0.1, 0.2], "m1": [1, 2], "m2": [1, 2]}, t_end=0.1)
    assert "<svg" not in cube._repr_html_()
    with pytest.raises(catena.RequestError, match="3 axes cannot be drawn"):
        cube.plot().svg  # noqa: B018


def test_xarray_has_the_axes_as_dimensions(found: catena.Sweep) -> None:
    pytest.importorskip("xarray")
    data = found.to_xarray()
    assert data["max:energy"].dims == ("theta1", "m2")
    assert float(data["max:energy"].sel(m2=3.0)[4]) == found["max:energy"][4, 2]
    assert data["theta1"].attrs["units"] == "rad"


def test_pandas_has_a_row_for_each_trajectory(found: catena.Sweep) -> None:
    pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert list(frame.columns) == ["theta1", "m2", "last:theta1", "max:energy", "status"]
    row = frame[(frame.theta1 == found.axes["theta1"][3]) & (frame.m2 == 2.0)]
    assert row["max:energy"].item() == found["max:energy"][3, 1]


def test_a_gpu_computes_or_the_processor_says_why() -> None:
    model = catena.load("double-pendulum")
    over = {"theta1": (0.1, 0.5, 8)}
    plain = model.sweep(over, "max:theta1", t_end=1.0)
    asked = model.sweep(over, "max:theta1", t_end=1.0, device="gpu")
    assert plain.device is None and plain.precision_loss is None
    assert asked.device is not None and asked.device.endswith(("f64", "the processor computes"))
    assert np.allclose(plain["max:theta1"], asked["max:theta1"], rtol=1e-9)
    with pytest.raises(catena.RequestError, match="double precision"):
        model.sweep(over, "max:theta1", t_end=1.0, precision="f32")
    with pytest.raises(catena.RequestError, match="run on processors"):
        model.sweep(over, "max:theta1", t_end=1.0, device="gpu", executor=concurrent.futures.ThreadPoolExecutor)
