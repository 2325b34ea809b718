"""Catena: a workbench for multibody dynamics.

>>> import catena
>>> model = catena.load("double-pendulum", l1=0.8)
>>> run = model.run(t_end=5.0, rtol=1e-9)
>>> run.t.shape, run["theta1"].shape, run.verdict
((251,), (251,), 'good')
>>> modes = model.modes()
>>> modes["natural_hz"].shape
(2,)

`catena.systems()` lists the ready systems; `catena.Model.from_toml` reads a model of your own.
"""

from . import _core
from ._catalogue import formulations, integrators, systems
from ._table import Table
from .answer import Answer
from .derivation import Derivation
from .errors import CatenaError, FileError, ModelError, MotionError, NotFoundError, RequestError, VersionError
from .functions import Energies, Functions, Rhs
from .model import Model, load
from .prepared import Prepared
from .run import Animation, Picture, Run

__version__: str = _core.version()

__all__ = [
    "Animation",
    "Answer",
    "CatenaError",
    "Derivation",
    "Energies",
    "FileError",
    "Functions",
    "Model",
    "ModelError",
    "MotionError",
    "NotFoundError",
    "Picture",
    "Prepared",
    "RequestError",
    "Rhs",
    "Run",
    "Table",
    "VersionError",
    "formulations",
    "integrators",
    "load",
    "systems",
]
