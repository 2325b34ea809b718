"""Everything that there is to choose from, as the core lists it."""

from __future__ import annotations

import functools
import json
from typing import Any

from . import _core
from .errors import MotionError, RequestError

__all__ = [
    "catalogue",
    "formulations",
    "integrators",
    "kinds_of_question",
    "kinds_of_run",
    "kinds_of_sweep",
    "questions",
    "request",
    "systems",
]


def request(**keys: Any) -> dict[str, Any]:
    """One request of the protocol and its reply."""
    reply: dict[str, Any] = json.loads(_core.request(json.dumps(keys)))
    error = reply.get("error")
    if error is not None:
        kind = RequestError if error["kind"] == "request" else MotionError
        raise kind(error["message"], error.get("help"))
    return reply


@functools.cache
def catalogue() -> dict[str, Any]:
    """Systems, formulations, integrators, questions and their options."""
    return request(do="catalogue")


def systems() -> dict[str, str]:
    """Ready systems: names and titles.

    >>> import catena
    >>> catena.systems()["four-bar"]
    'Four-bar linkage'
    """
    return {system["name"]: system["title"] for system in catalogue()["systems"]}


def formulations() -> dict[str, str]:
    """How constraints enter: names and what they do.

    >>> import catena
    >>> "recursive" in catena.formulations()
    True
    """
    return {entry["name"]: entry["summary"] for entry in catalogue()["formulations"]}


def integrators() -> dict[str, str]:
    """How time advances: names and what they do.

    >>> import catena
    >>> "dop853" in catena.integrators()
    True
    """
    return {entry["name"]: entry["summary"] for entry in catalogue()["integrators"]}


def questions() -> dict[str, str]:
    """What can be asked of a model: names, which are methods of models, and what they answer.

    >>> import catena
    >>> catena.questions()["phase"]
    'one column of a run against another, such as an angle and its rate'
    """
    return {entry["name"]: entry["summary"] for entry in catalogue()["questions"]}


@functools.cache
def kinds_of_run() -> dict[str, str]:
    """What the options of a run take."""
    return {row["key"]: row["kind"] for row in catalogue()["runOptions"]}


@functools.cache
def kinds_of_sweep() -> dict[str, str]:
    """What the options of a sweep's runs take: those of one run, and what computes them."""
    return kinds_of_run() | {row["key"]: row["kind"] for row in catalogue()["deviceOptions"]}


@functools.cache
def kinds_of_question(name: str) -> dict[str, str]:
    """What the options of a question take."""
    for question in catalogue()["questions"]:
        if question["name"] == name:
            return {row["key"]: row["kind"] for row in question["options"] + question["runOptions"]}
    return {}
