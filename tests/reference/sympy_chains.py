# Reference table for planar chains ("articulated pendulums") on a moving pivot.
# Derives M(q) and Q(q, v, t) of M v' = Q with SymPy, by Lagrange's method, and
# rewrites sympy_chains.json beside this file:   python3 sympy_chains.py
# Needs `pip install sympy`; the table was made with SymPy 1.14.0.
#
# Angles are absolute, from the downward vertical, counter-clockwise positive, y up:
# a point at distance s along link k lies at (s sin th_k, -s cos th_k) from its start.
# Link 1 starts at the pivot (eta0 cos(2 pi f t), 0), link k where link k-1 ends.
import json
from decimal import Decimal
from pathlib import Path

import sympy
from sympy import Rational, cos, diff, pi, sin, symbols

# Short decimals, so that what the table prints is exactly what was substituted.
# A chain of n links takes the first n of each list; none of them is monotone, so
# that an index mix-up shows.
MASS = "0.7 1.25 0.4 2.1 0.9 1.6 0.55 1.1 0.3 0.85".split()
LENGTH = "0.8 0.45 1.3 0.6 0.95 0.35 1.1 0.75 0.5 1.2".split()
FRICTION = "0.12 0.05 0.31 0.08 0.2 0.15 0.02 0.25 0.1 0.07".split()
G, ETA0, F = "9.81", "0.3", "0.75"
STATES = [  # moderate angles and rates; then large ones, past pi (link 6: past a full turn)
    {"t": "0.37",
     "theta": "0.3 -0.55 0.9 1.2 -0.25 0.65 -1.1 0.15 0.4 -0.8".split(),
     "rate": "0.5 -1.2 0.75 -0.3 1.6 -0.9 0.2 1.1 -0.45 0.6".split()},
    {"t": "1.9",
     "theta": "2.6 -1.9 4.1 0.7 -3.3 7.25 1.45 -2.2 5.6 -0.35".split(),
     "rate": "-3.5 4.2 1.8 -6.1 2.4 5.3 -0.7 -4.6 3.9 7.2".split()},
]
# shape: centre of mass as a fraction of the length, central inertia over m l^2
SHAPES = {"rod": (Rational(1, 2), Rational(1, 12)), "bob": (Rational(1), Rational(0))}


class Chain:
    """Symbolic M and Q of a chain of n links; every parameter is a symbol."""

    def __init__(self, n):
        def row(name):
            return symbols(f"{name}1:{n + 1}", real=True)

        # c: distance of the centre of mass from the link's start; J: inertia about it
        self.m, self.l, self.r, self.c, self.J = (row(s) for s in "mlRcJ")
        self.q, self.v = row("theta"), row("omega")
        self.g, self.eta0, self.f, self.t = symbols("g eta0 f t", real=True)
        q, v, t = self.q, self.v, self.t

        def rate_of(x):  # total time derivative of x(q, t)
            return sum(diff(x, a) * b for a, b in zip(q, v)) + diff(x, t)

        x, y = self.eta0 * cos(2 * pi * self.f * t), sympy.Integer(0)
        T = V = D = sympy.Integer(0)
        for k in range(n):
            xc, yc = x + self.c[k] * sin(q[k]), y - self.c[k] * cos(q[k])
            T += self.m[k] * (rate_of(xc)**2 + rate_of(yc)**2) / 2 + self.J[k] * v[k]**2 / 2
            V += self.m[k] * self.g * yc
            D += self.r[k] * (v[k] - (v[k - 1] if k else 0))**2 / 2
            x, y = x + self.l[k] * sin(q[k]), y - self.l[k] * cos(q[k])

        # d/dt(dT/dv) - dT/dq + dV/dq + dD/dv = 0 with p = dT/dv = p(q, v, t); the part
        # of dp/dt that is linear in v' is M v', all the rest goes to the right side.
        p = [diff(T, a) for a in v]
        self.M = [[diff(a, b) for b in v] for a in p]
        self.Q = [diff(T - V, q[i]) - diff(D, v[i]) - rate_of(p[i]) for i in range(n)]

    def evaluate(self, shape, state):
        """One case of the table: all entries as decimal strings."""
        n = len(self.q)
        case = {"shape": shape, "links": str(n), "mass": MASS[:n], "length": LENGTH[:n],
                "friction": FRICTION[:n], "g": G, "eta0": ETA0, "f": F, "t": state["t"],
                "theta": state["theta"][:n], "rate": state["rate"][:n]}
        at = {self.g: G, self.eta0: ETA0, self.f: F, self.t: case["t"]}
        for names, key in ((self.m, "mass"), (self.l, "length"), (self.r, "friction"),
                           (self.q, "theta"), (self.v, "rate")):
            at.update(zip(names, case[key]))
        at = {s: Rational(d) for s, d in at.items()}  # exact: Rational("0.7") is 7/10
        centre, inertia = SHAPES[shape]
        for m, l, c, J in zip(self.m, self.l, self.c, self.J):
            at[c], at[J] = centre * at[l], inertia * at[m] * at[l]**2
        case["M"] = [[digits(e.xreplace(at)) for e in r] for r in self.M]
        case["Q"] = [digits(e.xreplace(at)) for e in self.Q]
        return case


def digits(exact):
    """20 significant digits, which must read back as the double nearest to the value."""
    value = exact.evalf(30)
    assert value.is_Float or value.is_Integer, value
    text = format(Decimal(str(value)), ".20g")
    assert float(text) == float(str(value)), text
    return text


def write(case):
    """JSON by hand: the json module would cut the numbers to doubles."""
    def array(x):
        return "[" + ", ".join(x) + "]"

    head = [f'"shape": "{case["shape"]}"'] + [
        f'"{k}": {case[k]}' for k in ("links", "g", "eta0", "f", "t")]
    lines = [", ".join(head)] + [
        f'"{k}": {array(case[k])}' for k in ("mass", "length", "friction", "theta", "rate")]
    lines += ['"M": [\n' + ",\n".join(array(r) for r in case["M"]) + "]",
              f'"Q": {array(case["Q"])}']
    return "{" + ",\n".join(lines) + "}"


if __name__ == "__main__":
    about = ("Planar chains on a moving pivot, M v' = Q by Lagrange's method, 20 digits; "
             "made by sympy_chains.py, which states the conventions")
    chains = [Chain(n) for n in (2, 3, 5, 10)]
    cases = [c.evaluate(s, st) for c in chains for s in SHAPES for st in STATES]
    text = (f'{{"about": "{about}",\n"sympy": "{sympy.__version__}",\n"cases": [\n'
            + ",\n".join(write(c) for c in cases) + "\n]}\n")
    json.loads(text)  # must at least parse
    (Path(__file__).parent / "sympy_chains.json").write_text(text)
