"""Catena: a workbench for multibody dynamics.

>>> import catena
>>> model = catena.load("double-pendulum", l1=0.8)
>>> run = model.run(t_end=5.0, rtol=1e-9)
>>> run.t.shape, run["theta1"].shape, run.verdict["grade"]
((501,), (501,), 'good')
>>> modes = model.modes()
>>> modes["frequency"].shape
(2,)

`catena.systems()` lists the ready systems; `catena.Model.from_toml` reads a model of your own.
"""

from . import _core
from ._catalogue import formulations, integrators, systems
from ._table import Table
from .answer import Answer
from .derivation import Derivation
from .errors import (
    CatenaError,
    ExecutorError,
    FileError,
    ModelError,
    MotionError,
    NotFoundError,
    RequestError,
    VersionError,
)
from .model import Model, Prepared, load
from .run import Animation, Picture, Run
from .sweeps import Sweep, read_sweep, sweep

__version__: str = _core.version()

__all__ = [
    "Animation",
    "Answer",
    "CatenaError",
    "Derivation",
    "ExecutorError",
    "FileError",
    "Model",
    "ModelError",
    "MotionError",
    "NotFoundError",
    "Picture",
    "Prepared",
    "RequestError",
    "Run",
    "Sweep",
    "Table",
    "VersionError",
    "formulations",
    "integrators",
    "load",
    "read_sweep",
    "sweep",
    "systems",
]
