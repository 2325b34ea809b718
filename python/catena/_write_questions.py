"""Writes `_questions.py`: every question of the catalogue as a method, from the core's own tables of options.

    python -m catena._write_questions
"""

from __future__ import annotations

import keyword
import pathlib
import textwrap
from typing import Any

from ._catalogue import catalogue

TYPES = {
    "positive": "float | str",
    "not-negative": "float | str",
    "number": "float | str",
    "count": "int",
    "numbers": "Sequence[float] | str",
    "word": "str | float",
    "words": "Sequence[str] | str",
    "repeated": "Over",
    "choice": "str",
    "switch": "bool",
}

HEAD = '''"""Every question of the catalogue as a method. Written by `python -m catena._write_questions`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._keywords import checked

if TYPE_CHECKING:
    from ._progress import Progress
    from .answer import Answer

Over = Mapping[str, Any] | Sequence[str] | str
"""What is varied: {"f": (1.0, 3.0, 200)}, {"f": [1.0, 1.5]} or texts as on the command line, as "f=1:3:200"."""


class Questions:
    """What can be asked of a model."""

    def ask(
        self, question: str, *, threads: int | None = None, progress: Progress = None, **options: Any
    ) -> Answer:
        raise NotImplementedError
'''


def name_of(key: str) -> str:
    """A keyword; words of Python get an underscore."""
    return key + "_" if keyword.iskeyword(key) else key


def type_of(row: dict[str, Any]) -> str:
    if row["key"] == "over":
        return "Over"
    if row["kind"] == "choice":
        return "Literal[" + ", ".join(f'"{choice}"' for choice in row["choices"]) + "]"
    return TYPES[row["kind"]] if row["key"] != "with" else "Mapping[str, Any] | Sequence[str]"


def described(row: dict[str, Any]) -> str:
    default = f" (default: {row['default']})" if row["default"] else ""
    text = f"{name_of(row['key'])}: {row['help']}{default}"
    return textwrap.fill(text, 116, initial_indent=" " * 8, subsequent_indent=" " * 12)


def method(question: dict[str, Any]) -> str:
    """One question."""
    # `certify` has three values in Python
    rows = [row for row in question["options"] + question["runOptions"] if row["key"] != "no_certify"]
    keywords = [f"        {name_of(row['key'])}: {type_of(row)} | None = None,\n" for row in rows]
    needs = f"\n        It needs {question['needs']}.\n" if question["needs"] else ""
    options = "".join(f"{described(row)}\n" for row in rows)
    options = f"\n{options}" if options else ""
    passed = "".join(f"            {name_of(row['key'])}={name_of(row['key'])},\n" for row in rows)
    return (
        f"\n    @checked\n    def {question['name']}(\n        self,\n        *,\n{''.join(keywords)}"
        "        threads: int | None = None,\n        progress: Progress = None,\n    ) -> Answer:\n"
        f'        """{question["summary"]}.\n{needs}{options}        """\n'
        f'        return self.ask(\n            "{question["name"]}",\n{passed}'
        "            threads=threads,\n            progress=progress,\n        )\n"
    )


def written() -> str:
    """The whole file."""
    methods = "".join(method(question) for question in catalogue()["questions"])
    text = HEAD + methods
    return text.replace("import TYPE_CHECKING, Any", "import TYPE_CHECKING, Any, Literal")


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("_questions.py").write_text(written(), encoding="utf-8")
