"""All four Lyapunov exponents of 64 double pendulums, 1000 s each: Catena in lanes, heyoka's variational equations in
batches, and Numba one by one.

    benches/peers/run chaos [ROUNDS]

Peers are timed by the CPU time of their process, Catena by the wall: what disturbs the machine counts against Catena. All
run on one core. The error is the largest change of an energy, J.
"""

import sys

import numpy as np
from numba import njit

import chain
from chain_heyoka import heyoka, symbols
from measuring import Row, catena, short

STARTS, SPREAD = 64, 0.1
T_END = 1000.0
# vectors become orthonormal after every so many seconds
INTERVAL = 1.0
GRAVITY = chain.GRAVITY
# Numba runs so many of the starts, and is charged for all
NUMBA_STARTS = 4


def starts():
    level = np.pi / 2
    turned = level + np.linspace(0.0, SPREAD, STARTS)
    return np.array([turned, np.full(STARTS, level), np.zeros(STARTS), np.zeros(STARTS)])


def energy(y):
    q1, q2, v1, v2 = y
    kinetic = v1 * v1 + 0.5 * v2 * v2 + v1 * v2 * np.cos(q1 - q2)
    return kinetic - GRAVITY * (2.0 * np.cos(q1) + np.cos(q2))


class Batches:
    """heyoka's Taylor series of a state and its variations over as many starts as its vector registers take."""

    def __init__(self, tolerance):
        (q1, q2), (v1, v2) = symbols(2)
        sine, cosine = heyoka.sin(q1 - q2), heyoka.cos(q1 - q2)
        f1 = -sine * v2 * v2 - 2.0 * GRAVITY * heyoka.sin(q1)
        f2 = sine * v1 * v1 - GRAVITY * heyoka.sin(q2)
        determinant = 2.0 - cosine * cosine
        equations = [(q1, v1), (q2, v2)]
        equations += [(v1, (f1 - cosine * f2) / determinant), (v2, (2.0 * f2 - cosine * f1) / determinant)]
        system = heyoka.var_ode_sys(equations, heyoka.var_args.vars, order=1)
        self.size = heyoka.recommended_simd_size()
        self.taylor = heyoka.taylor_adaptive_batch(system, np.zeros((20, self.size)), tol=tolerance)

    def integrate(self):
        y0 = starts()
        self.growth, self.error = np.zeros((STARTS, 4)), 0.0
        state = self.taylor.state
        for first in range(0, STARTS, self.size):
            batch = slice(first, first + self.size)
            self.taylor.set_time(0.0)
            state[:4], state[4:] = y0[:, batch], np.eye(4).reshape(16, 1)
            for interval in range(round(T_END / INTERVAL)):
                self.taylor.propagate_until((interval + 1) * INTERVAL)
                q, r = np.linalg.qr(state[4:].reshape(4, 4, self.size).transpose(2, 0, 1))
                self.growth[batch] += np.log(np.abs(np.diagonal(r, axis1=1, axis2=2)))
                state[4:] = q.transpose(1, 2, 0).reshape(16, self.size)
            change = energy(state[:4]) - energy(y0[:, batch])
            self.error = max(self.error, np.max(np.abs(change)))
        return None, None


@njit(cache=True, fastmath=True, error_model="numpy")
def rate(y, k):
    """y holds the state and four tangent vectors, a row each; k receives their rates."""
    q1, q2, v1, v2 = y[0]
    s, c = np.sin(q1 - q2), np.cos(q1 - q2)
    d = 1.0 / (2.0 - c * c)
    f1 = -s * v2 * v2 - 2.0 * GRAVITY * np.sin(q1)
    f2 = s * v1 * v1 - GRAVITY * np.sin(q2)
    a1, a2 = (f1 - c * f2) * d, (2.0 * f2 - c * f1) * d
    k[0, 0], k[0, 1], k[0, 2], k[0, 3] = v1, v2, a1, a2
    g1, g2 = 2.0 * GRAVITY * np.cos(q1), GRAVITY * np.cos(q2)
    for i in range(1, 5):
        w1, w2, u1, u2 = y[i]
        turn = w1 - w2
        # what the accelerations are held at: the change of M a is that of its cosines
        r1 = -c * turn * v2 * v2 - 2.0 * s * v2 * u2 - g1 * w1 + s * turn * a2
        r2 = c * turn * v1 * v1 + 2.0 * s * v1 * u1 - g2 * w2 + s * turn * a1
        k[i, 0], k[i, 1] = u1, u2
        k[i, 2], k[i, 3] = (r1 - c * r2) * d, (2.0 * r2 - c * r1) * d


@njit(cache=True, fastmath=True, error_model="numpy")
def runge_kutta(y0, h, count, growth):
    y, k, z, total = np.zeros((5, 4)), np.zeros((5, 4)), np.zeros((5, 4)), np.zeros((5, 4))
    y[0] = y0
    for i in range(4):
        y[i + 1, i] = 1.0
    often = round(INTERVAL / h)
    for step in range(count):
        rate(y, k)
        total[:] = y + h / 6.0 * k
        z[:] = y + 0.5 * h * k
        rate(z, k)
        total += h / 3.0 * k
        z[:] = y + 0.5 * h * k
        rate(z, k)
        total += h / 3.0 * k
        z[:] = y + h * k
        rate(z, k)
        y[:] = total + h / 6.0 * k
        if (step + 1) % often == 0:
            for i in range(1, 5):
                for j in range(1, i):
                    y[i] -= np.dot(y[i], y[j]) * y[j]
                size = np.sqrt(np.dot(y[i], y[i]))
                growth[i - 1] += np.log(size)
                y[i] /= size
    return y[0].copy()


def numba_row(h):
    y0 = starts()[:, :NUMBA_STARTS]
    row = Row("Numba rk4, one by one", h, None, 0.0)
    row.growth = np.zeros((NUMBA_STARTS, 4))

    def run():
        row.growth[:] = 0.0
        for start in range(NUMBA_STARTS):
            end = runge_kutta(y0[:, start].copy(), h, round(T_END / h), row.growth[start])
            row.error = max(row.error, abs(energy(end) - energy(y0[:, start])))
        return None, None

    row.run = run
    runge_kutta(y0[:, 0].copy(), 0.1, 10, np.zeros(4))
    return row


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    numba = numba_row(2e-3)
    peers = []
    if heyoka is None:
        print("heyoka is not installed: its rows are left out")
    else:
        peers = [(Batches(tolerance), tolerance) for tolerance in (1e-6, 1e-8, 1e-9, 1e-10)]
        name = f"heyoka Taylor, batches of {peers[0][0].size}"
        peers = [(batches, Row(name, tolerance, batches.integrate, None)) for batches, tolerance in peers]
    ours = None
    for _ in range(rounds):
        new = catena("chaos", ["exponents"])["exponents"]
        for row, other in zip(ours or [], new):
            other["s"] = min(row["s"], other["s"])
        ours = new
        for _, row in peers:
            row.lap(1)
    numba.lap(1)
    line = "  {:<34} {:>9} {:>12} {:>10} {:>10}"
    print(line.format("who", "tolerance", "s/s", "error, J", "exponent"))
    rows = [("Catena " + row["what"].split(",")[0] + ", lanes", float(row["what"].split()[-1]), row["s"],
             row["energy_error_J"], row["exponent_per_s"]) for row in ours]  # fmt: skip
    for batches, row in peers:
        rows.append((row.who, row.tolerance, min(row.seconds), batches.error, np.mean(batches.growth[:, 0]) / T_END))
    charged = min(numba.seconds) * STARTS / NUMBA_STARTS
    rows.append((numba.who, numba.tolerance, charged, numba.error, np.mean(numba.growth[:, 0]) / T_END))
    for who, tolerance, seconds, error, exponent in rows:
        speed = f"{STARTS * T_END / seconds:.0f}"
        print(line.format(who, short(tolerance), speed, f"{error:.1e}", f"{exponent:.3f}"))
    print()
    for who, tolerance, seconds, error, _ in rows[len(ours) :]:
        fit = [row["s"] for row in ours if row["energy_error_J"] <= error]
        if fit:
            print(f"  {who}, {short(tolerance)}: {seconds / min(fit):.2f} times as long as ours with no larger error")
    print(f"\n{rounds} rounds; Catena by wall time, peers by CPU time, each the best")


main()
