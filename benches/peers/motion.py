"""Catena, SciPy with Numba, and heyoka on the same motions, measured in turn.

    benches/peers/run [ROUNDS]

Peers are timed by the CPU time of their process, Catena by the wall: what disturbs the machine counts against Catena.
"""

import json
import subprocess
import sys
from time import perf_counter, process_time

import numpy as np
from scipy.integrate import solve_ivp

import chain

try:
    import heyoka
except ImportError:
    heyoka = None
else:
    heyoka.set_nthreads(1)  # it would share many states out to all cores

LINKS = 20
T_END = 5.0
COMPARED_AT = 1.0
TOLERANCES = (1e-4, 1e-9)
AGREEMENT = 1e-10
# by symmetry most orders of the Taylor series vanish at the horizontal start, and the step rule is misled by them
CAUTIOUS_UNTIL, CAUTIOUS_STEP = 0.1, 0.01


class Row:
    """A peer's run, timed again and again."""

    def __init__(self, who, tolerance, run, tip_error):
        self.who, self.tolerance, self.run, self.tip_error = who, tolerance, run, tip_error
        self.seconds = []
        self.steps = self.evaluations = None

    def lap(self, repeats):
        for _ in range(repeats):
            start = process_time()
            self.steps, self.evaluations = self.run()
            self.seconds.append(process_time() - start)


def catena(tables):
    """The tables of our bench."""
    command = ["cargo", "bench", "--quiet", "-p", "catena-benches", "--bench", "motion", "--", "--json", *tables]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def keep_best(best, new):
    """Of two measurements of the same tables, the shorter times."""
    for name in ("right_hand_side", "chain"):
        for row, other in zip(best[name], new[name]):
            for key in row:
                if key.endswith(("_ms", "_ns")):
                    row[key] = min(row[key], other[key])


def agree(what, found, expected):
    difference = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    print(f"  {what:<44} {difference:.1e}")
    if not difference < AGREEMENT:
        sys.exit(f"{what} differs")


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


def symbols(links):
    names = [f"q{i}" for i in range(links)] + [f"v{i}" for i in range(links)]
    variables = heyoka.make_vars(*names)
    return variables[:links], variables[links:]


def heyoka_rows(reference, tolerance=1e-9):
    q, v = symbols(LINKS)
    sin, cos = [heyoka.sin(x) for x in q], [heyoka.cos(x) for x in q]
    accelerations = chain.recursion(sin, cos, v)
    equations = list(zip(q, v)) + list(zip(v, accelerations))
    start = chain.horizontal(LINKS)
    begun = perf_counter()
    taylor = heyoka.taylor_adaptive(equations, start, tol=tolerance, compact_mode=False)
    print(f"  heyoka's integrator was ready after {perf_counter() - begun:.1f} s (from its cache, if it was there)")

    def integrate(t_end):
        taylor.time = 0.0
        taylor.state[:] = start
        first = taylor.propagate_until(CAUTIOUS_UNTIL, max_delta_t=CAUTIOUS_STEP)
        second = taylor.propagate_until(t_end)
        return first[3] + second[3], None

    integrate(COMPARED_AT)
    error = np.linalg.norm(chain.tip(taylor.state) - reference)
    return [Row("heyoka Taylor, recursion", tolerance, lambda: integrate(T_END), error)]


class RightHandSides:
    """One evaluation, ns, of each peer; the best of many."""

    def __init__(self, states):
        self.best = {}
        self.calls = {}
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
        self.calls["chain", "Numba dense, one at a time"] = (
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
        self.calls[system, "heyoka, many states in vector registers"] = (
            lambda: function(inputs, outputs=outputs, **timed),
            batch,
        )

    def lap(self, repeats):
        for key, (call, evaluations) in self.calls.items():
            for _ in range(repeats):
                start = process_time()
                call()
                seconds = (process_time() - start) / evaluations
                self.best[key] = min(self.best.get(key, np.inf), seconds * 1e9)


def ours_beside(row, runs, method=None):
    """Our fastest run whose error is not larger."""
    fit = [r for r in runs if r["tip_error"] <= row.tip_error and method in (None, r["integrator"])]
    return min(fit, key=lambda run: run["alone_ms"], default=None)


def print_right_hand_sides(ours, peers):
    print("\none right-hand side, ns\n")
    for run in ours:
        print(f"  {run['system']:<17} {'Catena minimal, one at a time':<42} {run['catena_ns']:>8.0f}")
        print(f"  {run['system']:<17} {'Rust by hand, one at a time':<42} {run['by_hand_ns']:>8.0f}")
        for (system, who), nanoseconds in peers.best.items():
            if system == run["system"]:
                print(f"  {system:<17} {who:<42} {nanoseconds:>8.0f}")


def print_motions(runs, rows):
    print("\n20 rods fall for 5 s: the integration alone; the tip at 1 s\n")
    line = "  {:<26} {:>9} {:>9} {:>6} {:>11} {:>10}"
    print(line.format("who", "tolerance", "best, ms", "steps", "evaluations", "error, m"))
    for run in runs:
        counts = int(run["steps"]), int(run["evaluations"])
        name, tolerance, time = f"Catena {run['integrator']}", run["tolerance"], run["alone_ms"]
        print(line.format(name, f"{tolerance:.0e}", f"{time:.2f}", *counts, f"{run['tip_error']:.1e}"))
    for row in rows:
        counts = row.steps, row.evaluations or "-"
        best = f"{min(row.seconds) * 1e3:.2f}"
        print(line.format(row.who, f"{row.tolerance:.0e}", best, *counts, f"{row.tip_error:.1e}"))
    print("\nhow many times longer a peer takes than our fastest run with an error that is not larger\n")
    for row in rows:
        for method, label in (("dopri5", "by dopri5"), (None, "by any")):
            run = ours_beside(row, runs, method)
            who = f"{row.who} {row.tolerance:.0e}"
            if run is None:
                print(f"  {who:<34} {label:<10} none is as accurate")
                continue
            ratio = min(row.seconds) * 1e3 / run["alone_ms"]
            print(f"  {who:<34} {label:<10} {ratio:6.2f}   ({run['integrator']} {run['tolerance']:.0e})")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    tables = ("right_hand_side", "chain")
    ours = catena(tables)
    print("agreement with Catena, relative\n")
    peers = RightHandSides({state["system"]: state for state in ours["states"]})
    rows = scipy_rows(ours["tip"])
    if heyoka is None:
        print("  heyoka is not installed: its rows are left out")
    else:
        rows += heyoka_rows(ours["tip"])
    for number in range(rounds):
        if number > 0:
            keep_best(ours, catena(tables))
        peers.lap(200)
        for row in rows:
            row.lap(10)
    print_right_hand_sides(ours["right_hand_side"], peers)
    print_motions(ours["chain"], rows)
    print(f"\n{rounds} rounds; Catena by wall time, peers by CPU time, each the best")


if __name__ == "__main__":
    main()
