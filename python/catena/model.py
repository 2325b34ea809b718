"""Models: loaded, read, changed, examined, derived, run and asked."""

from __future__ import annotations

import functools
import html
import json
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from . import _core, sweeps
from ._catalogue import kinds_of_question, kinds_of_run, request
from ._keywords import checked
from ._progress import Progress, ProgressBar
from ._questions import Questions
from ._texts import Pairs, checked_threads, joined_settings, option_pairs, setting_pairs
from .answer import Answer
from .derivation import Derivation
from .diagnosis import Diagnosis
from .errors import MotionError, RequestError
from .prepared import Prepared, run_pairs
from .run import Picture, Run

__all__ = ["Model", "Prepared", "load"]


def load(name: str | os.PathLike[str], settings: Mapping[str, Any] | None = None, /, **values: Any) -> Model:
    """A ready system or a model file, with some values changed.

    Names that Python cannot write as keywords, as rates, stand in a dictionary.

    >>> import catena
    >>> model = catena.load("four-bar", {"theta2'": 6.0}, L2=0.8)
    >>> model.parameters["L2"]
    0.8
    """
    changed = joined_settings(settings, values)
    return Model(_core.Model.load(os.fspath(name), setting_pairs(changed)), changed)


class Model(Questions):
    """A mechanical system that was read. It never changes: `set` makes another one."""

    def __init__(self, core: _core.Model, settings: Mapping[str, Any] = {}) -> None:
        if not isinstance(core, _core.Model):
            raise RequestError(
                f"a model is not made from {core!r}", "`catena.load` takes a name or a path, `Model.from_toml` a text"
            )
        self._core = core
        self._settings = dict(settings)

    @classmethod
    def from_toml(
        cls, text: str, settings: Mapping[str, Any] | None = None, /, *, name: str = "model", **values: Any
    ) -> Model:
        """A model from the text of a model file.

        >>> import catena
        >>> model = catena.Model.from_toml('''
        ... [parameters]
        ... m = 1
        ... l = 2
        ... [coordinates]
        ... theta = "angle from the downward vertical"
        ... [energy]
        ... kinetic = "1/2*m*l^2*theta'^2"
        ... potential = "-m*9.81*l*cos(theta)"
        ... ''')
        >>> list(model.parameters)
        ['m', 'l']
        """
        changed = joined_settings(settings, values)
        return cls(_core.Model.read(name, text, setting_pairs(changed)), changed)

    @property
    def model(self) -> Model:
        return self

    @property
    def name(self) -> str:
        """The ready system, the path, or what it was called."""
        return self._core.name

    @property
    def title(self) -> str:
        """The title of the model."""
        return self._core.title

    @property
    def description(self) -> str:
        """What the model says about itself."""
        return self._core.description

    @property
    def text(self) -> str:
        """The text of the model file."""
        return self._core.text

    @property
    def parameters(self) -> Mapping[str, float]:
        """Parameters and their values; `set` changes them, in another model."""
        return MappingProxyType(dict(self._core.parameters))

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates."""
        return [entry["name"] for entry in self.about["coordinates"]]

    def set(self, settings: Mapping[str, Any] | None = None, /, **values: Any) -> Model:
        """The same model with other values: parameters, initial values, sizes.

        >>> import catena
        >>> pendulum = catena.load("single-pendulum").set({"theta'": "pi/4"}, l="200 mm")
        >>> pendulum.parameters["l"]
        0.2
        """
        changed = {**self._settings, **joined_settings(settings, values)}
        return Model(_core.Model.read(self.name, self.text, setting_pairs(changed)), changed)

    def _request(self, **keys: Any) -> dict[str, Any]:
        settings = dict(setting_pairs(self._settings))
        return request(model={"name": self.name, "text": self.text}, set=settings, **keys)

    @functools.cached_property
    def about(self) -> dict[str, Any]:
        """What the model consists of: names of coordinates, states, constraints, outputs, events."""
        about: dict[str, Any] = self._request(do="model", full=False)["about"]
        return about

    def check(self) -> Diagnosis:
        """Examines the model: degrees of freedom, dependent constraints, missing mass, the start.

        A dictionary; `print` and notebooks show it in words.

        >>> import catena
        >>> catena.load("four-bar").check()["freedom_by_rank"]
        1
        """
        return Diagnosis(json.loads(self._core.diagnosis()))

    def derive(self, coordinates: str | None = None) -> Derivation:
        """The equations of motion, with every step that leads to them, checked.

        `coordinates` is "joint" or "absolute" where the model has both.
        """
        return Derivation(self, coordinates)

    def prepare(self, formulation: str | None = None, **options: Any) -> Prepared:
        """Derives and compiles the model once, for many runs."""
        pairs = option_pairs({"formulation": formulation, **options}, kinds_of_run())
        return Prepared(self, self._core.prepare(pairs), pairs)

    @checked
    def run(
        self,
        t_end: float | str | None = None,
        *,
        t_start: float | str | None = None,
        every: float | str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        formulation: str | None = None,
        integrator: str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        columns: list[str] | str | None = None,
        with_: Mapping[str, Any] | list[str] | None = None,
        linear: bool | None = None,
        certify: bool | None = None,
        progress: Progress = None,
    ) -> Run:
        """Moves the model in time, and says how right that is.

        `t_end`, `t_start`, `every`: s, from the model unless given. `rtol`, `atol`: tolerances, 1e-6 and 1e-9.
        `formulation`, `integrator`: names of `catena.formulations()` and `catena.integrators()`; "auto" chooses.
        `step`: fixed steps. `columns`: only these, `*` stands for any letters; definitions, accelerations as "theta1''" and
        sizes of joint forces as "pin_f" can be asked for, too: ["*", "pin_f"]. `with_`: options of the methods, as
        {"omega": 10}. `linear`: the model linearised about its equilibrium. `certify`: whether the error is
        estimated with a second run; short runs have it unasked.

        >>> import catena
        >>> run = catena.load("four-bar").run(t_end=1.0, rtol=1e-8)
        >>> bool(abs(run["energy"] - run["energy"][0]).max() < 1e-6)
        True
        """
        pairs = run_pairs(
            t_end=t_end, t_start=t_start, every=every, rtol=rtol, atol=atol, formulation=formulation,
            integrator=integrator, step=step, first_step=first_step, max_step=max_step, max_steps=max_steps,
            columns=columns, with_=with_, linear=linear, certify=certify,
        )  # fmt: skip
        return Run(self, pairs, self._move(pairs, progress=progress))

    def _move(
        self, options: Pairs, *, film: bool = False, samples: list[float] = [], progress: Progress = None
    ) -> _core.Run:
        with ProgressBar(self.title, progress) as told:
            return self._core.run(options, film, samples, told)

    def ask(self, question: str, *, threads: int | None = None, progress: Progress = None, **options: Any) -> Answer:
        """Asks a question of the catalogue by its name; each is a method of its own, too."""
        pairs = option_pairs(options, kinds_of_question(question))
        cores = checked_threads(threads) or os.cpu_count() or 1
        with ProgressBar(question, progress) as told:
            return Answer(self._core.ask(question, pairs, cores, told))

    sweep = sweeps.sweep

    def export(self, language: str) -> str:
        """The equations as a source: "c", "python", "octave", "latex", "json"."""
        return self._core.export(language)

    def draw(self, *, names: bool = True, centres: bool = False) -> Picture:
        """What the model looks like at its start; where it cannot be assembled, the pose nearest to that.

        `names`: of bodies and joints. `centres`: marks the centres of mass. `Run.draw` has poses of a motion.
        """
        marks = [mark for mark, is_wanted in {"names": names, "centres": centres}.items() if is_wanted]
        return Picture(lambda ending: self._core.drawing(ending, marks))

    def __repr__(self) -> str:
        return f"<Model {self.name}: {self.title}>"

    def _repr_html_(self) -> str:
        try:
            picture = self.draw(names=False)._repr_html_()
        except MotionError:
            # it does not say what it looks like; a drawing would have the title
            picture = f"<h4>{html.escape(self.title)}</h4>"
        description = f"<p>{html.escape(self.description)}</p>" if self.description else ""
        return picture + description

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._core.hash == other._core.hash

    def __hash__(self) -> int:
        return self._core.hash

    def __reduce__(self) -> tuple[Any, ...]:
        return (restored, (self.name, self.text, self._settings))


def restored(name: str, text: str, settings: dict[str, Any]) -> Model:
    """A model that was pickled: by its text, which every version reads."""
    return Model.from_toml(text, settings, name=name)
