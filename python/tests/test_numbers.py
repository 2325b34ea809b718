"""Numbers from Python are those of the command line, to the last bit."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

import catena

PROGRAM = os.environ.get("CATENA") or shutil.which("catena")
needs_program = pytest.mark.skipif(PROGRAM is None, reason="CATENA names the program to compare with")


def printed(*arguments: str) -> str:
    assert PROGRAM is not None
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, encoding="utf-8").stdout


@needs_program
@pytest.mark.parametrize("name", ["double-pendulum", "four-bar", "slider-crank-bodies", "triple-pendulum", "chain"])
def test_runs_are_those_of_the_command_line(name: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "run.csv"
    printed("run", name, "--to", "1", "--rtol", "1e-8", "-o", str(path))
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    run = catena.load(name).run(t_end=1.0, rtol=1e-8)
    assert rows[0] == list(run.table)
    for at, column in enumerate(run.table.values()):
        assert np.array_equal([float(row[at]) for row in rows[1:]], column, equal_nan=True), rows[0][at]


@needs_program
@pytest.mark.parametrize(
    ("question", "name", "options", "flags"),
    [
        ("modes", "triple-pendulum", {}, []),
        ("kinematics", "four-bar", {"drive": "theta2", "points": 37}, ["--drive", "theta2", "--points", "37"]),
        ("lyapunov", "double-pendulum", {"t_end": 40.0}, ["--to", "40"]),
        ("equilibrium", "cart-pendulum", {"all": True}, ["--all"]),
    ],
)
def test_answers_are_those_of_the_command_line(
    question: str, name: str, options: dict[str, Any], flags: list[str]
) -> None:
    facts = json.loads(printed("analyze", question, name, *flags, "--json"))
    answer = catena.load(name).ask(question, **options)
    assert answer.result == facts["result"]
