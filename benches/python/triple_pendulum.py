"""The accelerations of the triple pendulum on a shaken pivot, by SymPy with NumPy and as a loop by hand for Numba."""

from __future__ import annotations

import math
from collections.abc import Callable

import numba
import numpy as np
import sympy
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

G, MASS, LENGTH, FRICTION, AMPLITUDE, FREQUENCY = 9.81, 1.0, 1.0, 0.1, 0.05, 0.5


def by_sympy() -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
    """Lagrange's equations, `lambdify` with common subexpressions, and `numpy.linalg.solve` over all states."""
    t = dynamicsymbols._t
    q = dynamicsymbols("q1:4")
    v = [angle.diff(t) for angle in q]
    pivot = AMPLITUDE * sympy.cos(2 * sympy.pi * FREQUENCY * t)
    x, y, kinetic, potential = pivot, sympy.Integer(0), sympy.Integer(0), sympy.Integer(0)
    for angle in q:
        x, y = x + LENGTH * sympy.sin(angle), y - LENGTH * sympy.cos(angle)
        kinetic += MASS * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
        potential += MASS * G * y
    slips = [v[0], v[1] - v[0], v[2] - v[1]]
    dissipation = FRICTION * sum(slip**2 for slip in slips) / 2
    lagrange = LagrangesMethod(kinetic - potential, q)
    lagrange.form_lagranges_equations()
    forcing = lagrange.forcing - sympy.Matrix([dissipation.diff(rate) for rate in v])
    plain = sympy.symbols("a1:4 w1:4")
    named = dict(zip([*v, *q], [*plain[3:], *plain[:3]], strict=True))
    mass, forces = (sympy.trigsimp(matrix).subs(named) for matrix in (lagrange.mass_matrix, forcing))
    entries = sympy.lambdify((t, *plain), [*mass, *forces], "numpy", cse=True)

    def accelerations(time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        values = np.stack(np.broadcast_arrays(*entries(time, *q.T, *v.T)), axis=-1)
        return np.linalg.solve(values[:, :9].reshape(-1, 3, 3), values[:, 9:, None])[..., 0]

    return accelerations


@numba.njit(parallel=True, fastmath=True, error_model="numpy", cache=True)
def by_hand(t: float, q: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """M and Q written down, M v̇ = Q eliminated in place: sines and cosines of the three angles once each."""
    omega = 2.0 * math.pi * FREQUENCY
    shake = -AMPLITUDE * omega**2 * math.cos(omega * t)
    for state in numba.prange(q.shape[0]):
        a, b, c = q[state, 0], q[state, 1], q[state, 2]
        u, w, z = v[state, 0], v[state, 1], v[state, 2]
        sa, ca = math.sin(a), math.cos(a)
        sb, cb = math.sin(b), math.cos(b)
        sc, cc = math.sin(c), math.cos(c)
        cab, sab = ca * cb + sa * sb, sa * cb - ca * sb
        cac, sac = ca * cc + sa * sc, sa * cc - ca * sc
        cbc, sbc = cb * cc + sb * sc, sb * cc - cb * sc
        ml = MASS * LENGTH
        mll = ml * LENGTH
        m11, m22, m33 = 3.0 * mll, 2.0 * mll, mll
        m12, m13, m23 = 2.0 * mll * cab, mll * cac, mll * cbc
        f1 = -3.0 * ml * (G * sa + shake * ca) - 2.0 * mll * w * w * sab - mll * z * z * sac
        f2 = -2.0 * ml * (G * sb + shake * cb) + 2.0 * mll * u * u * sab - mll * z * z * sbc
        f3 = -ml * (G * sc + shake * cc) + mll * u * u * sac + mll * w * w * sbc
        f1 -= FRICTION * (2.0 * u - w)
        f2 -= FRICTION * (2.0 * w - u - z)
        f3 -= FRICTION * (z - w)
        l21, l31 = m12 / m11, m13 / m11
        d22, d23, g2 = m22 - l21 * m12, m23 - l21 * m13, f2 - l21 * f1
        d33, g3 = m33 - l31 * m13, f3 - l31 * f1
        l32 = d23 / d22
        az = (g3 - l32 * g2) / (d33 - l32 * d23)
        aw = (g2 - d23 * az) / d22
        out[state, 0] = (f1 - m12 * aw - m13 * az) / m11
        out[state, 1] = aw
        out[state, 2] = az
