"""The planar pendulum of n links, in the forms that peers are given.

Angles are absolute, from the downward vertical, counter-clockwise; every link has 1 kg and 1 m. A uniform rod has its
centre at c1 = 1/2 of its length and the moment of inertia c2 = 1/3 about its upper end; a bob has c1 = c2 = 1.

    sum_j A_ij cos(q_i - q_j) v'_j = -sum_j A_ij sin(q_i - q_j) v_j^2 - B_i g sin(q_i)
    B_i = c1 + (n - i),  A_ii = c2 + (n - i),  A_ij = B_max(i,j)        with i = 1 ... n
"""

from math import pi

import numpy as np
from numba import njit

GRAVITY = 9.81
ROD = (1 / 2, 1 / 3)
BOB = (1.0, 1.0)

# the triple pendulum of the zoo
FRICTION = 0.1
SHAKE_AMPLITUDE = 0.05
SHAKE_FREQUENCY = 2 * pi * 0.5


def coefficients(links, shape=ROD):
    """A and B."""
    below = links - 1.0 - np.arange(links)
    b = shape[0] + below
    a = np.minimum.outer(b, b)
    np.fill_diagonal(a, shape[1] + below)
    return a, b


def horizontal(links):
    """At rest along +x."""
    return np.concatenate([np.full(links, pi / 2), np.zeros(links)])


def tip(y):
    """Where the last link ends."""
    q = y[: len(y) // 2]
    return np.array([np.sin(q).sum(), -np.cos(q).sum()])


@njit(cache=True, fastmath=True, error_model="numpy")
def dense(y, a, b, mass, rate):
    """Rates of (q, v) by a Cholesky factorisation of the mass matrix; `mass` is room for it."""
    n = len(b)
    sin, cos = np.empty(n), np.empty(n)
    for i in range(n):
        sin[i], cos[i] = np.sin(y[i]), np.cos(y[i])
        rate[i] = y[n + i]
    for i in range(n):
        pull_cos, pull_sin = 0.0, 0.0
        for j in range(n):
            pull = a[i, j] * y[n + j] * y[n + j]
            pull_cos += pull * cos[j]
            pull_sin += pull * sin[j]
        rate[n + i] = cos[i] * pull_sin - sin[i] * pull_cos - b[i] * GRAVITY * sin[i]
        for j in range(i + 1):
            mass[i, j] = a[i, j] * (cos[i] * cos[j] + sin[i] * sin[j])
    x = rate[n:]
    for i in range(n):
        for j in range(i):
            total = mass[i, j]
            for k in range(j):
                total -= mass[i, k] * mass[j, k]
            mass[i, j] = total * mass[j, j]
        total = mass[i, i]
        for k in range(i):
            total -= mass[i, k] * mass[i, k]
        mass[i, i] = 1.0 / np.sqrt(total)  # the diagonal holds inverses
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= mass[i, k] * x[k]
        x[i] = total * mass[i, i]
    for i in range(n - 1, -1, -1):
        x[i] *= mass[i, i]
        for k in range(i):
            x[k] -= mass[i, k] * x[i]
    return rate


def dense_function(links):
    """f(t, y), as integrators want it."""
    a, b = coefficients(links)
    mass = np.zeros((links, links))

    def derivative(_, y):
        return dense(y, a, b, mass, np.empty(2 * links))

    return derivative


@njit(cache=True)
def dense_loop(states, a, b, mass, rate, passes):
    """The same for all states many times, without Python between."""
    total = 0.0
    for _ in range(passes):
        for k in range(len(states)):
            dense(states[k], a, b, mass, rate)
            total += rate[-1]
    return total


def recursion(sin, cos, v):
    """Accelerations of a chain of rods in a number of operations that grows like n, for numbers and for symbols.

    The force on a link at its upper end P is F = S a_P + s. From the last link up, with e along the link, n across it,
    S and s of the link below, w = e/2 + S e, u = n/2 + S n and D = 1/3 + n.S n:
    v' = (c - u.a_P)/D  with  c = n.g/2 + v^2 n.S e - n.s;  the link's own S is 1 + S - u u/D, its s is
    s - g - v^2 w + u c/D.  Then from the first link down, a_P grows by v' n - v^2 e.
    """
    sxx = sxy = syy = sx = sy = 0.0
    links = []
    for s, c, rate in reversed(list(zip(sin, cos, v))):
        square = rate * rate
        # e = (s, -c), n = (c, s), g = (0, -GRAVITY)
        along_x, along_y = sxx * s - sxy * c, sxy * s - syy * c
        across_x, across_y = sxx * c + sxy * s, sxy * c + syy * s
        ux, uy = c * 0.5 + across_x, s * 0.5 + across_y
        load = -0.5 * GRAVITY * s + square * (c * along_x + s * along_y) - (c * sx + s * sy)
        inverse = 1.0 / (1 / 3 + c * across_x + s * across_y)
        links.append((s, c, square, ux, uy, load, inverse))
        kx, ky = ux * inverse, uy * inverse
        sxx, sxy, syy = 1.0 + sxx - ux * kx, sxy - ux * ky, 1.0 + syy - uy * ky
        sx = sx - square * (s * 0.5 + along_x) + kx * load
        sy = sy + GRAVITY - square * (c * -0.5 + along_y) + ky * load
    ax = ay = 0.0
    accelerations = []
    for s, c, square, ux, uy, load, inverse in reversed(links):
        acceleration = (load - ux * ax - uy * ay) * inverse
        accelerations.append(acceleration)
        ax, ay = ax + acceleration * c - square * s, ay + acceleration * s + square * c
    return accelerations


@njit(cache=True, fastmath=True, error_model="numpy")
def sweep(y, passed, rate):
    """Rates of (q, v) by the recursion, for a state; `passed` is room for n rows of seven."""
    n = len(y) // 2
    sxx = sxy = syy = sx = sy = 0.0
    for i in range(n - 1, -1, -1):
        s, c, v = np.sin(y[i]), np.cos(y[i]), y[n + i]
        rate[i] = v
        square = v * v
        along_x, along_y = sxx * s - sxy * c, sxy * s - syy * c
        across_x, across_y = sxx * c + sxy * s, sxy * c + syy * s
        ux, uy = c * 0.5 + across_x, s * 0.5 + across_y
        load = -0.5 * GRAVITY * s + square * (c * along_x + s * along_y) - (c * sx + s * sy)
        inverse = 1.0 / (1 / 3 + c * across_x + s * across_y)
        row = passed[i]
        row[0], row[1], row[2], row[3], row[4], row[5], row[6] = s, c, square, ux, uy, load, inverse
        kx, ky = ux * inverse, uy * inverse
        sxx, sxy, syy = 1.0 + sxx - ux * kx, sxy - ux * ky, 1.0 + syy - uy * ky
        sx += kx * load - square * (s * 0.5 + along_x)
        sy += GRAVITY - square * (c * -0.5 + along_y) + ky * load
    ax = ay = 0.0
    for i in range(n):
        row = passed[i]
        s, c, square = row[0], row[1], row[2]
        acceleration = (row[5] - row[3] * ax - row[4] * ay) * row[6]
        rate[n + i] = acceleration
        ax += acceleration * c - square * s
        ay += acceleration * s + square * c
    return rate


def sweep_function(links):
    """f(t, y), as integrators want it."""
    passed = np.empty((links, 7))

    def derivative(_, y):
        return sweep(y, passed, np.empty(2 * links))

    return derivative


@njit(cache=True)
def sweep_loop(states, passed, rate, passes):
    """The same for all states many times, without Python between."""
    total = 0.0
    for _ in range(passes):
        for k in range(len(states)):
            sweep(states[k], passed, rate)
            total += rate[-1]
    return total


def relative(y):
    """Angles to the link before, and their rates, from absolute ones."""
    n = len(y) // 2
    return np.concatenate([np.diff(y[:n], prepend=0.0), np.diff(y[n:], prepend=0.0)])


def triple(sin, cos, v, shake):
    """Accelerations of the shaken triple pendulum by L D L^T, for numbers and for symbols; `shake` is the pivot's."""
    a, b = coefficients(3, BOB)
    n = 3
    mass = [[a[i, j] * (cos[i] * cos[j] + sin[i] * sin[j]) for j in range(n)] for i in range(n)]
    relative = [v[0], v[1] - v[0], v[2] - v[1]]
    x = []
    for i in range(n):
        force = -b[i] * (GRAVITY * sin[i] + shake * cos[i]) - FRICTION * relative[i]
        if i + 1 < n:
            force = force + FRICTION * relative[i + 1]
        for j in range(n):
            if i != j:
                force = force - a[i, j] * (sin[i] * cos[j] - cos[i] * sin[j]) * (v[j] * v[j])
        x.append(force)
    inverse = []
    for k in range(n):
        inverse.append(1.0 / mass[k][k])
        for i in range(k + 1, n):
            factor = mass[k][i] * inverse[k]
            for j in range(i, n):
                mass[i][j] = mass[i][j] - factor * mass[k][j]
            x[i] = x[i] - factor * x[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            x[k] = x[k] - mass[k][j] * x[j]
        x[k] = x[k] * inverse[k]
    return x
