"""A Lagrangian of SymPy as kinetic and potential energy; it is imported where one is given."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from .errors import RequestError

__all__ = ["split"]


def split(lagrangian: Any, coordinates: list[Any]) -> tuple[Any, Any]:
    """T and V with L = T − V, where V is what is left of −L at rest."""
    for coordinate in coordinates:
        if not isinstance(coordinate, AppliedUndef):
            raise RequestError(
                f"the coordinate `{coordinate}` is not a function of time", 'make it with `dynamicsymbols("theta")`'
            )
    rates = {one for one in lagrangian.atoms(sympy.Derivative) if isinstance(one.expr, AppliedUndef)}
    foreign = sorted(str(rate) for rate in rates if rate.expr not in coordinates or len(rate.variables) > 1)
    if foreign:
        raise RequestError(
            f"the Lagrangian has `{foreign[0]}`, which is not the velocity of one of its coordinates",
            f"coordinates: {', '.join(str(coordinate) for coordinate in coordinates)}",
        )
    potential = -lagrangian.subs({rate: 0 for rate in rates})
    kinetic = lagrangian + potential
    # a product that holds both energies is written out, so that the potential one cancels
    is_mixed = any(not term.has(sympy.Derivative) for term in sympy.Add.make_args(kinetic))
    return (sympy.expand(kinetic) if is_mixed else kinetic), potential
