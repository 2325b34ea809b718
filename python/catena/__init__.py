"""Catena: a workbench for multibody dynamics.

>>> import catena
>>> model = catena.load("double-pendulum", l1=0.8)
>>> run = model.run(t_end=5.0, rtol=1e-9)
>>> run.t.shape, run["theta1"].shape, run.verdict
((251,), (251,), 'good')
>>> modes = model.modes()
>>> modes["natural_hz"].shape
(2,)

`catena.systems()` lists the ready systems. A model of your own is a text, `catena.Model.from_toml`, or it is written in
Python: of energies and constraints, `catena.System`, or of bodies and joints, `catena.Mechanism`.
"""

from . import _core
from ._catalogue import formulations, integrators, questions, systems
from ._table import Table
from .answer import Answer
from .derivation import Derivation
from .diagnosis import Diagnosis
from .equations import Equations
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
from .functions import Energies, Functions, Rhs
from .mechanism import Mechanism
from .model import Model, load
from .parts import Body, Part, Point
from .prepared import Prepared
from .run import Animation, Picture, Run
from .sweeps import Sweep, read_sweep, sweep
from .system import System

__version__: str = _core.version()

__all__ = [
    "Animation",
    "Answer",
    "Body",
    "CatenaError",
    "Derivation",
    "Diagnosis",
    "Energies",
    "Equations",
    "ExecutorError",
    "FileError",
    "Functions",
    "Mechanism",
    "Model",
    "ModelError",
    "MotionError",
    "NotFoundError",
    "Part",
    "Picture",
    "Point",
    "Prepared",
    "RequestError",
    "Rhs",
    "Run",
    "Sweep",
    "System",
    "Table",
    "VersionError",
    "formulations",
    "integrators",
    "load",
    "questions",
    "read_sweep",
    "sweep",
    "systems",
]
