"""Keywords that a method does not know are answered with the nearest one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ._nearest import did_you_mean
from .errors import RequestError

__all__ = ["checked"]

NAMES_OF_SCIPY = {
    "t_span": "the end is `t_end`, the start `t_start` or 0",
    "method": "methods are `integrator=` and, where there are constraints, `formulation=`",
    "t_eval": "rows are `every=` apart; `run.sol(times)` has any times",
    "dense_output": "every run has it: `run.sol(times)`",
    "y0": "`model.set(...)` gives another start, `prepared.run(start={...})` without compiling anew",
    "args": "`model.set(...)` gives other parameters, `prepared.run(parameters={...})` without compiling anew",
    "events": "events are written in the model; `run.events` and `run.t_events` have what happened",
}
"""What `scipy.integrate.solve_ivp` calls something else, and what it is called here."""

CALLED_ELSEWHERE = {
    "run": {**NAMES_OF_SCIPY, "to": "the end is `t_end`"},
    "sweep": {name: NAMES_OF_SCIPY[name] for name in ("t_span", "method")},
    "motor": {"speed": 'a constant speed is an angle that grows, angle="speed*t"', "rate": 'angle="rate*t"'},
}
"""Keywords that people expect of a method, and what they are called here."""

P = ParamSpec("P")
R = TypeVar("R")


def checked(method: Callable[P, R]) -> Callable[P, R]:
    """The method, with a message for a keyword that it does not have."""
    parameters = inspect.signature(method).parameters.values()
    known = [one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]
    known = [name for name in known if name != "self"]

    @functools.wraps(method)
    def answered(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in known:
                help = CALLED_ELSEWHERE.get(method.__name__, {}).get(name)
                if help is None and name == "t_end" and "to" in known:
                    help = "the end is `to`"
                help = help or did_you_mean(name, known, "keywords")
                raise RequestError(f"`{method.__name__}` has no keyword `{name}`", help)
        return method(*args, **kwargs)

    return answered
