"""How far long work is, for people who look."""

import sys
import types
from typing import Any

import pytest

from catena import _progress
from catena._progress import ProgressBar


class Output:
    """What a cell of a notebook shows."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def display(self, data: dict[str, str], raw: bool, display_id: bool) -> "Output":
        assert raw and display_id
        self.shown.append(data)
        return self

    def update(self, data: dict[str, str], raw: bool) -> None:
        assert raw
        self.shown.append(data)


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch) -> Output:
    made = Output()
    module: Any = types.ModuleType("IPython.display")
    module.display = made.display
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setattr(_progress, "bar_of_tqdm", lambda what: None)
    return made


def test_a_notebook_shows_one_line_that_is_gone_in_the_end(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar("sweep", True) as told:
        assert told is not None
        told(0.25)
        told(0.5)
    assert [data["text/plain"].split(" after")[0] for data in output.shown] == ["sweep:  25 %", "sweep:  50 %", ""]
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_short_work_shows_nothing_in_a_notebook(output: Output) -> None:
    with ProgressBar("sweep", None) as told:
        assert told is not None
        told(0.5)
    assert output.shown == []


def test_a_terminal_has_a_line_that_is_written_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_progress, "bar_of_tqdm", lambda what: None)
    monkeypatch.setattr(_progress, "in_notebook", lambda: False)
    with ProgressBar("sweep", True) as told:
        assert told is not None
        told(0.25)
    written = capsys.readouterr().err
    assert written.startswith("\rsweep:  25 %") and written.endswith("\r")
