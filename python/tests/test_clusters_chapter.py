"""The programs of the book's chapter on clusters do what it says."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

import catena

CHAPTER = pathlib.Path(__file__).parents[2] / "book" / "clusters.md"
PROGRAMS = dict(re.findall(r"```python (\S+)\n(.*?)```", CHAPTER.read_text(), re.DOTALL)) if CHAPTER.exists() else {}

pytestmark = pytest.mark.skipif(not PROGRAMS, reason="the book is not here")


def printed(folder: pathlib.Path, name: str, *arguments: str) -> str:
    (folder / name).write_text(PROGRAMS[name])
    # the package that is tested, wherever it is
    path = os.pathsep.join([str(pathlib.Path(catena.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, name, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_threads_fill_a_file(tmp_path: pathlib.Path) -> None:
    assert printed(tmp_path, "threads.py").startswith("(40, 30) True\ndone 0\n")
    assert catena.read_sweep(tmp_path / "threads.sweep").complete


def test_processes_do_tasks(tmp_path: pathlib.Path) -> None:
    assert "'workers': 2" in printed(tmp_path, "processes.py")


def test_dask_fills_a_file(tmp_path: pathlib.Path) -> None:
    distributed = pytest.importorskip("distributed")
    # in this process, but reached from another one
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        assert "40 theta1 × 30 theta2" in printed(tmp_path, "on_dask.py", cluster.scheduler_address)
    assert catena.read_sweep(tmp_path / "dask.sweep").complete
