"""Did you mean …? The known name that a mistyped one is nearest to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str], kind: str) -> str:
    """The help for a name that is not known: the nearest one, or all of them.

    >>> did_you_mean("lenght", ["mass", "length"], "keywords")
    'did you mean `length`?'
    >>> did_you_mean("colour", ["mass", "length"], "keywords")
    'keywords: mass, length'
    """
    names = list(known)
    lower = {one.lower(): one for one in reversed(names)}
    near = difflib.get_close_matches(name.lower(), list(lower), n=1, cutoff=0.6)
    if near:
        return f"did you mean `{lower[near[0]]}`?"
    return f"{kind}: {', '.join(names)}" if names else f"there are no {kind}"
