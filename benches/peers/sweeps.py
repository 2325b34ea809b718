"""Many trajectories of the shaken triple pendulum: Catena in lanes, Numba one by one, C++ written by hand, heyoka in
batches, measured in turn; many states of a chain beside C++.

    benches/peers/run sweeps [ROUNDS]

Peers are timed by the CPU time of their process, Catena by the wall: what disturbs the machine counts against Catena. All
run on one core.
"""

import ctypes
import sys

import numpy as np
from numba import njit

import chain
from chain_heyoka import heyoka, symbols
from compiled import doubles, library
from measuring import Row, agree, catena, keep_best, short, wanted

CELLS = 16
T_END = 10.0
STEP = 0.01
STARTS = (0.1, 1.0)
FREE_CELLS = 64  # many to a batch, as in any sweep
TABLES = ("steps", "accurate", "chain")
# what counts as accurate, rad
ERROR = 1e-9
LINKS = 20
# what is wanted: parts of the speed of C++ in lanes and one by one, a multiple of heyoka's speed at no larger error, and
# parts of the speed of C++ for an evaluation of the chain, alone and in steps with everything around it
WANTED_LANES, WANTED_ONE, WANTED_HEYOKA, WANTED_CHAIN, WANTED_CHAIN_STEPS = 0.8, 0.85, 2.0, 0.95, 0.84

A, B = chain.coefficients(3, chain.BOB)
GRAVITY, FRICTION = chain.GRAVITY, chain.FRICTION
AMPLITUDE, FREQUENCY = chain.SHAKE_AMPLITUDE, chain.SHAKE_FREQUENCY


@njit(cache=True, fastmath=True, error_model="numpy")
def rate(t, y):
    """The equations of chain.py with friction and the shaken pivot, three links written out."""
    q1, q2, q3, v1, v2, v3 = y
    s1, s2, s3, c1, c2, c3 = np.sin(q1), np.sin(q2), np.sin(q3), np.cos(q1), np.cos(q2), np.cos(q3)
    c12, c13, c23 = c1 * c2 + s1 * s2, c1 * c3 + s1 * s3, c2 * c3 + s2 * s3
    s12, s13, s23 = s1 * c2 - c1 * s2, s1 * c3 - c1 * s3, s2 * c3 - c2 * s3
    shake = -AMPLITUDE * FREQUENCY * FREQUENCY * np.cos(FREQUENCY * t)
    w1, w2, w3 = v1 * v1, v2 * v2, v3 * v3
    f1, f2, f3 = FRICTION * v1, FRICTION * (v2 - v1), FRICTION * (v3 - v2)
    r1 = -2.0 * s12 * w2 - s13 * w3 - 3.0 * (GRAVITY * s1 + shake * c1) - f1 + f2
    r2 = 2.0 * s12 * w1 - s23 * w3 - 2.0 * (GRAVITY * s2 + shake * c2) - f2 + f3
    r3 = s13 * w1 + s23 * w2 - (GRAVITY * s3 + shake * c3) - f3
    m12, m13, m23 = 2.0 * c12, c13, c23
    d1 = 1.0 / 3.0
    l2, l3 = m12 * d1, m13 * d1
    m22, m23 = 2.0 - l2 * m12, m23 - l2 * m13
    m33 = 1.0 - l3 * m13
    r2, r3 = r2 - l2 * r1, r3 - l3 * r1
    d2 = 1.0 / m22
    l = m23 * d2
    a3 = (r3 - l * r2) / (m33 - l * m23)
    a2 = r2 * d2 - l * a3
    a1 = r1 * d1 - l2 * a2 - l3 * a3
    return v1, v2, v3, a1, a2, a3


@njit(cache=True, fastmath=True, error_model="numpy")
def moved(y, h, k):
    return (
        y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2],
        y[3] + h * k[3], y[4] + h * k[4], y[5] + h * k[5],
    )  # fmt: skip


@njit(cache=True, fastmath=True, error_model="numpy")
def runge_kutta(starts, h, count, ends):
    for cell in range(len(starts)):
        y = (starts[cell], 0.0, 0.0, 0.0, 0.0, 0.0)
        for step in range(count):
            t = step * h
            k1 = rate(t, y)
            k2 = rate(t + 0.5 * h, moved(y, 0.5 * h, k1))
            k3 = rate(t + 0.5 * h, moved(y, 0.5 * h, k2))
            k4 = rate(t + h, moved(y, h, k3))
            y = moved(moved(moved(moved(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4)
        ends[cell, 0], ends[cell, 1], ends[cell, 2] = y[0], y[1], y[2]


class Batches:
    """heyoka's Taylor series over as many trajectories as its vector registers take."""

    def __init__(self, tolerance):
        q, v = symbols(3)
        sines = [heyoka.sin(x) for x in q], [heyoka.cos(x) for x in q]
        shake = -AMPLITUDE * FREQUENCY**2 * heyoka.cos(FREQUENCY * heyoka.time)
        equations = list(zip(q, v)) + list(zip(v, chain.triple(*sines, v, shake)))
        self.size = heyoka.recommended_simd_size()
        self.taylor = heyoka.taylor_adaptive_batch(equations, np.zeros((6, self.size)), tol=tolerance)

    def integrate(self):
        starts, ends = np.linspace(*STARTS, FREE_CELLS), np.empty((FREE_CELLS, 3))
        steps = 0
        for first in range(0, FREE_CELLS, self.size):
            self.taylor.set_time(0.0)
            self.taylor.state[:] = 0.0
            self.taylor.state[0, :] = starts[first : first + self.size]
            self.taylor.propagate_until(T_END)
            steps += sum(result[3] for result in self.taylor.propagate_res)
            ends[first : first + self.size] = self.taylor.state[:3].T
        self.ends = ends
        return steps, None


def error_of(ends, expected):
    return np.max(np.abs(ends - expected))


def heyoka_rows(expected):
    rows = []
    for tolerance in (1e-6, 5e-7, 2e-7, 1e-7, 1e-8):
        batches = Batches(tolerance)
        batches.integrate()
        who = f"heyoka Taylor, batches of {batches.size}"
        rows.append(Row(who, tolerance, batches.integrate, error_of(batches.ends, expected)))
    return rows


def numba_row(expected):
    starts, ends, count = np.linspace(*STARTS, CELLS), np.empty((CELLS, 3)), round(T_END / STEP)

    def run():
        runge_kutta(starts, STEP, count, ends)
        return CELLS * count, 4 * CELLS * count

    run()
    # the first and the last start are those of the other sweep
    agree("rk4 after 10 s beside dop853", ends[[0, -1]], expected[[0, -1]], 1e-4)
    return Row("Numba rk4, one by one", STEP, run, None)


def by_hand_rows(expected):
    """The loops of triple_pendulum.cpp: in lanes, and one by one."""
    loops = library("triple_pendulum.cpp", "g++", ("-march=native",))
    if loops is None:
        return []
    starts, ends, count = np.linspace(*STARTS, CELLS), np.empty((CELLS, 3)), round(T_END / STEP)
    rows = []
    loops = {"C++ by hand, 8 lanes": loops.steps_in_lanes, "C++ by hand, one by one": loops.steps_one_by_one}
    for who, steps in loops.items():

        def run(steps=steps):
            steps(doubles(starts), CELLS, ctypes.c_double(STEP), count, doubles(ends))
            return CELLS * count, 4 * CELLS * count

        run()
        agree(f"{who} after 10 s beside dop853", ends[[0, -1]], expected[[0, -1]], 1e-4)
        rows.append(Row(who, STEP, run, None))
    return rows


def chain_row():
    """The loop of chain.cpp: eight states side by side."""
    loops = library("chain.cpp", "g++", ("-march=native",))
    if loops is None:
        return None
    lanes, calls = 8, 10_000
    states = np.random.default_rng(1).uniform(-3.0, 3.0, (2 * LINKS, lanes))
    rates = np.empty_like(states)

    def run():
        loops.chain_rates(doubles(states), calls, doubles(rates))
        return None, calls * lanes

    run()
    rate = chain.sweep_function(LINKS)
    expected = np.array([rate(0.0, state) for state in states.T.copy()]).T
    agree(f"rates of {LINKS} rods: C++ by hand beside Numba", rates, expected)
    return Row("C++ by hand, 8 lanes", None, run, None)


def step_ns(row):
    return min(row.seconds) / row.steps * 1e9


def print_steps(ours, numba, by_hand):
    print("\nrk4 steps on one core, million per second\n")
    for row in ours:
        print(f"  Catena: {row['what']:<34} {1e3 / row['step_ns']:8.2f}")
    for row in (numba, *by_hand):
        print(f"  {row.who:<42} {row.steps / min(row.seconds) / 1e6:8.2f}")
    lanes = min(row["step_ns"] for row in ours if row["what"].startswith("lanes"))
    (one,) = (row["step_ns"] for row in ours if row["what"].startswith("one"))
    print(f"  Numba takes {step_ns(numba) / lanes:.1f} times as long as our lanes")
    if by_hand:
        wanted("our lanes beside C++ in lanes", step_ns(by_hand[0]) / lanes, WANTED_LANES)
        wanted("one trajectory of ours beside one of C++", step_ns(by_hand[1]) / one, WANTED_ONE)


def print_accurate(ours, peers):
    print("\nsimulated seconds per second of one core, and the largest error of an angle after 10 s\n")
    line = "  {:<34} {:>9} {:>12} {:>10}"
    print(line.format("who", "tolerance", "s/s", "error, rad"))
    simulated = FREE_CELLS * T_END
    rows = [(f"Catena {r['integrator']}, lanes", r["tolerance"], r["lap_ms"] / 1e3, r["error"]) for r in ours]
    rows += [(row.who, row.tolerance, min(row.seconds), row.error) for row in peers]
    for who, tolerance, seconds, error in rows:
        print(line.format(who, short(tolerance), f"{simulated / seconds:.0f}", f"{error:.1e}"))
    print()
    for peer in peers:
        fit = [r["lap_ms"] / 1e3 for r in ours if r["error"] <= peer.error]
        if peer.error <= ERROR and fit:
            wanted(f"heyoka's time at {peer.error:.1e} in ours, no larger error", min(peer.seconds) / min(fit), WANTED_HEYOKA)


def print_chain(ours, by_hand):
    print(f"\nan evaluation of {LINKS} rods under `recursive` for one state of many, µs; in rk4 steps with all around it\n")
    for row in ours:
        print(f"  Catena: {row['lanes']:<34} {row['alone_us']:8.4f} {row['in_steps_us']:8.4f}")
    if by_hand is None:
        return
    time = min(by_hand.seconds) / by_hand.evaluations * 1e6
    print(f"  {by_hand.who:<42} {time:8.4f}")
    best = [min(row[key] for row in ours) for key in ("alone_us", "in_steps_us")]
    wanted("an evaluation of ours beside one of C++", time / best[0], WANTED_CHAIN)
    wanted("the same in steps", time / best[1], WANTED_CHAIN_STEPS)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    ours = catena("sweeps", TABLES)
    expected = np.array(ours["last"]).reshape(FREE_CELLS, 3)
    numba, by_hand, by_hand_chain = numba_row(expected), by_hand_rows(expected), chain_row()
    peers = []
    if heyoka is None:
        print("heyoka is not installed: its rows are left out")
    else:
        peers = heyoka_rows(expected)
    for number in range(rounds):
        if number > 0:
            keep_best(ours, catena("sweeps", TABLES), TABLES)
        for row in (numba, *by_hand, *([by_hand_chain] if by_hand_chain else [])):
            row.lap(20)
        for row in peers:
            row.lap(10)
    print_steps(ours["steps"], numba, by_hand)
    print_accurate(ours["accurate"], peers)
    print_chain(ours["chain"], by_hand_chain)
    print(f"\n{rounds} rounds; Catena by wall time, peers by CPU time, each the best")


main()
