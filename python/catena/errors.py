"""What can go wrong, in the words of the command line.

Every exception has `.message`, `.help` (what to do about it, or None) and, where a model is to blame, `.problems` with their
places in its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "CatenaError",
    "ExecutorError",
    "FileError",
    "ModelError",
    "MotionError",
    "NotFoundError",
    "Problem",
    "RequestError",
    "UnknownColumnError",
    "UnknownEventError",
    "VersionError",
]


@dataclass(frozen=True)
class Problem:
    """Something wrong in the text of a model."""

    message: str
    """What is wrong."""
    help: str | None
    """What can be done about it."""
    source: str
    """The name of the model, or the value that was set."""
    line: int
    """From 1 on."""
    column: int
    """From 1 on."""
    length: int
    """How many characters are meant."""
    text: str
    """The line."""

    def __str__(self) -> str:
        number = str(self.line)
        margin = " " * len(number)
        carets = " " * (self.column - 1) + "^" * max(self.length, 1)
        lines = [
            self.message,
            f"{margin}--> {self.source}:{self.line}:{self.column}",
            f"{margin} |",
            f"{number} | {self.text}",
            f"{margin} | {carets}",
        ]
        if self.help:
            lines.append(f"{margin} = help: {self.help}")
        return "\n".join(lines)


class CatenaError(Exception):
    """Why there is no result."""

    message: str
    help: str | None
    problems: list[Problem]

    def __init__(
        self, message: str, help: str | None = None, problems: Sequence[dict[str, Any] | Problem] = ()
    ) -> None:
        super().__init__(message, help, problems)
        self.message = message
        self.help = help
        self.problems = [found if isinstance(found, Problem) else Problem(**found) for found in problems]

    def __str__(self) -> str:
        if self.problems:
            return "\n\n".join(str(problem) for problem in self.problems)
        return f"{self.message}\nhelp: {self.help}" if self.help else self.message


class ModelError(CatenaError, ValueError):
    """The text of a model, or a value that was set in it, is wrong."""


class NotFoundError(CatenaError, LookupError):
    """There is no such file or ready system."""


class RequestError(CatenaError, ValueError):
    """What was asked for makes no sense: an unknown name, a value of the wrong kind."""


class UnknownColumnError(RequestError, KeyError):
    """There is no column of this name."""


class UnknownEventError(RequestError, KeyError):
    """There is no event of this name."""


class MotionError(CatenaError, ArithmeticError):
    """The model is right, but has no such motion or answer."""


class FileError(CatenaError, OSError):
    """A file cannot be read or written."""


class ExecutorError(CatenaError, RuntimeError):
    """Whoever was to compute for us does not: a closed executor, workers that die or have no Catena."""


class VersionError(CatenaError, RuntimeError):
    """Something comes from another version of Catena."""
