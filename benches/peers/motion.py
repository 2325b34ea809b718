"""Catena, SciPy with Numba, and heyoka on the same motions, measured in turn.

    benches/peers/run motion [ROUNDS]

Peers are timed by the CPU time of their process, Catena by the wall: what disturbs the machine counts against Catena.
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp

import chain
from chain_heyoka import FallingChain, heyoka, symbols
from measuring import Evaluations, Row, agree, catena, keep_best, print_motions

LINKS = 20
T_END = 5.0
COMPARED_AT = 1.0
TOLERANCES = (1e-4, 1e-9)


def scipy_rows(reference):
    derivative = chain.dense_function(LINKS)
    start = chain.horizontal(LINKS)

    def integrate(tolerance, t_end, method="RK45"):
        return solve_ivp(derivative, (0.0, t_end), start, method=method, rtol=tolerance, atol=tolerance)

    expected = chain.tip(integrate(1e-13, COMPARED_AT, "DOP853").y[:, -1])
    agree("tip at 1 s: SciPy DOP853 1e-13", expected, reference)
    rows = []
    for tolerance in TOLERANCES:

        def run(tolerance=tolerance):
            solution = integrate(tolerance, T_END)
            return len(solution.t) - 1, solution.nfev

        error = np.linalg.norm(chain.tip(integrate(tolerance, COMPARED_AT).y[:, -1]) - expected)
        rows.append(Row("SciPy RK45, Numba dense", tolerance, run, error))
    return rows


def heyoka_rows(reference, tolerance=1e-9):
    falling = FallingChain(LINKS, tolerance, compact=False)
    print(f"  heyoka's integrator was ready after {falling.ready_after:.1f} s (from its cache, if it was there)")
    error = falling.tip_error(COMPARED_AT, reference)
    return [Row("heyoka Taylor, recursion", tolerance, lambda: falling.integrate(T_END), error)]


class RightHandSides(Evaluations):
    """One evaluation of each peer."""

    def __init__(self, states):
        super().__init__()
        triple, rods = states["triple-pendulum"], states["chain"]
        a, b = chain.coefficients(LINKS)
        mass, rate = np.zeros((LINKS, LINKS)), np.empty(2 * LINKS)
        y = np.array(rods["q"] + rods["v"])
        chain.dense(y, a, b, mass, rate)
        agree("accelerations of 20 rods: Numba dense", rate[LINKS:], rods["accelerations"])
        found = chain.recursion(np.sin(rods["q"]), np.cos(rods["q"]), rods["v"])
        agree("accelerations of 20 rods: recursion", found, rods["accelerations"])
        scattered = np.random.default_rng(1).uniform(-3.0, 3.0, (16, 2 * LINKS))
        chain.dense_loop(scattered, a, b, mass, rate, 1)
        passes = 20
        self.add(
            ("chain", "Numba dense, one at a time"),
            lambda: chain.dense_loop(scattered, a, b, mass, rate, passes),
            passes * len(scattered),
        )
        if heyoka is None:
            return
        q, v = symbols(LINKS)
        sines = [heyoka.sin(x) for x in q], [heyoka.cos(x) for x in q]
        self.add_heyoka("chain", heyoka.cfunc(chain.recursion(*sines, v), [*q, *v]), rods)
        q, v = symbols(3)
        sines = [heyoka.sin(x) for x in q], [heyoka.cos(x) for x in q]
        frequency = chain.SHAKE_FREQUENCY
        shake = -chain.SHAKE_AMPLITUDE * frequency**2 * heyoka.cos(frequency * heyoka.time)
        self.add_heyoka("triple-pendulum", heyoka.cfunc(chain.triple(*sines, v, shake), [*q, *v]), triple)

    def add_heyoka(self, system, function, state):
        count = len(state["q"])
        y = np.array(state["q"] + state["v"])
        timed = {"time": state["t"]} if system == "triple-pendulum" else {}
        agree(f"accelerations of {system}: heyoka", function(y, **timed), state["accelerations"])
        batch = 512
        inputs = np.random.default_rng(1).uniform(-3.0, 3.0, (2 * count, batch))
        outputs = np.empty((count, batch))
        if timed:
            timed = {"time": np.full(batch, state["t"])}
        self.add(
            (system, "heyoka, many states in vector registers"),
            lambda: function(inputs, outputs=outputs, **timed),
            batch,
        )


def print_right_hand_sides(ours, peers):
    print("\none right-hand side, ns\n")
    for run in ours:
        print(f"  {run['system']:<17} {'Catena minimal, one at a time':<42} {run['catena_ns']:>8.0f}")
        print(f"  {run['system']:<17} {'Rust by hand, one at a time':<42} {run['by_hand_ns']:>8.0f}")
        for (system, who), nanoseconds in peers.best.items():
            if system == run["system"]:
                print(f"  {system:<17} {who:<42} {nanoseconds:>8.0f}")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    tables = ("right_hand_side", "chain")
    ours = catena("motion", tables)
    print("agreement with Catena, relative\n")
    peers = RightHandSides({state["system"]: state for state in ours["states"]})
    rows = scipy_rows(ours["tip"])
    if heyoka is None:
        print("  heyoka is not installed: its rows are left out")
    else:
        rows += heyoka_rows(ours["tip"])
    for number in range(rounds):
        if number > 0:
            keep_best(ours, catena("motion", tables), tables)
        peers.lap(200)
        for row in rows:
            row.lap(10)
    print_right_hand_sides(ours["right_hand_side"], peers)
    print_motions(ours["chain"], rows)
    print(f"\n{rounds} rounds; Catena by wall time, peers by CPU time, each the best")


if __name__ == "__main__":
    main()
