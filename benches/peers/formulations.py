"""Formulations of a chain of rods beside other programs, measured in turn.

    benches/peers/run formulations [ROUNDS]

One evaluation: Pinocchio, MuJoCo, Numba. Falling for 5 s: SciPy with Numba, heyoka, MuJoCo, Exudyn. The published
table: GNU Octave. What is not installed is said so and left out. Peers are timed by the CPU time of their process,
Catena by the wall: what disturbs the machine counts against Catena.
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp

import chain
import chain_exudyn
import chain_heyoka
import chain_mujoco
import chain_octave
import chain_pinocchio
from measuring import Evaluations, Row, agree, catena, keep_best, print_motions, wanted

TABLES = ("sweep", "integration", "published")
LINKS = 20
T_END = 5.0
COMPARED_AT = 1.0
# how right the tip is to be, m
TIP_ERROR = 1e-9
SCIPY_TOLERANCES = (1e-4, 1e-9)
# the general libraries keep matrices of links x links, and this is memory enough
MOST_FOR_LIBRARIES = 100
HEYOKA_TOLERANCES = (1e-6, 5e-7, 2e-7, 1e-7)
MUJOCO_STEPS = (5e-3, 2.5e-3)
OCTAVE = {"recursive": "recursive", "augmented-lagrangian": "augmented_lagrangian"}
# its penalty of 1e7 costs digits
OCTAVE_AGREEMENT = {"recursive": 1e-10, "augmented-lagrangian": 1e-6}
# how many times as long as we heyoka is to take, each at its loosest tolerance that is tight enough
WANTED_HEYOKA = 5.0
# a peer's run is repeated for so long in a round, s
BUDGET = 2.0


def sweeps(states):
    """One evaluation of each peer at our state, and of many scattered ones for the time."""
    evaluations = Evaluations()
    for state in states:
        links = len(state["q"])
        absolute = np.array([state["q"] + state["v"]])
        peers = {"Numba recursion, one at a time": numba_recursion(links)}
        if links <= MOST_FOR_LIBRARIES:
            peers |= chain_pinocchio.evaluations(links) | chain_mujoco.evaluations(links)
        for who, evaluate in peers.items():
            ours, transform = np.array(state["accelerations"]), lambda y: y
            if not who.startswith("Numba"):
                ours, transform = np.diff(ours, prepend=0.0), chain.relative
            one = np.array([transform(y) for y in absolute])
            agree(f"accelerations of {links} rods: {who}", evaluate(one, 1), ours)
            scattered = np.random.default_rng(1).uniform(-3.0, 3.0, (8, 2 * links))
            many = np.array([transform(y) for y in scattered])
            passes = max(1, 2000 // links // len(many))
            evaluations.add(
                (links, who), lambda call=evaluate, y=many, passes=passes: call(y, passes), passes * len(many)
            )
    return evaluations


def numba_recursion(links):
    passed, rate = np.empty((links, 7)), np.empty(2 * links)

    def evaluate(states, passes):
        chain.sweep_loop(states, passed, rate, passes)
        return rate[links:]

    return evaluate


def scipy_rows(reference):
    derivative, start = chain.sweep_function(LINKS), chain.horizontal(LINKS)

    def integrate(tolerance, t_end):
        return solve_ivp(derivative, (0.0, t_end), start, method="RK45", rtol=tolerance, atol=tolerance)

    for tolerance in SCIPY_TOLERANCES:

        def run(tolerance=tolerance):
            solution = integrate(tolerance, T_END)
            return len(solution.t) - 1, solution.nfev

        error = np.linalg.norm(chain.tip(integrate(tolerance, COMPARED_AT).y[:, -1]) - reference)
        yield Row("SciPy RK45, Numba recursion", tolerance, run, error)


def heyoka_rows(reference):
    """The loosest tolerance that is tight enough."""
    for tolerance in HEYOKA_TOLERANCES:
        # the integrator that runs fast takes half a minute to compile
        error = chain_heyoka.FallingChain(LINKS, tolerance, compact=True).tip_error(COMPARED_AT, reference)
        if error <= TIP_ERROR:
            falling = chain_heyoka.FallingChain(LINKS, tolerance, compact=False)
            print(f"  heyoka's integrator was ready after {falling.ready_after:.1f} s (or less, from its cache)")
            error = falling.tip_error(COMPARED_AT, reference)
            yield Row("heyoka Taylor, recursion", tolerance, lambda: falling.integrate(T_END), error)
            return


def mujoco_rows(reference):
    model = chain_mujoco.Chain(LINKS)
    how = "call from Python" if model.loops is None else "C loop"
    for step in MUJOCO_STEPS:

        def run(step=step):
            model.integrate(step, T_END)
            return round(T_END / step), 4 * round(T_END / step)

        angles = np.cumsum(model.integrate(step, COMPARED_AT)[:LINKS])
        error = np.linalg.norm(chain.tip(np.concatenate([angles, angles])) - reference)
        yield Row(f"MuJoCo RK4 (its step), {how}", step, run, error)


def exudyn_rows(reference):
    falling = chain_exudyn.FallingChain(LINKS)
    for tolerance in SCIPY_TOLERANCES:
        error = falling.tip_error(tolerance, COMPARED_AT, reference)
        run = lambda tolerance=tolerance: falling.integrate(tolerance, T_END)  # noqa: E731
        yield Row("Exudyn KinematicTree DOPRI5", tolerance, run, error)


class Octave:
    """CPU seconds of the published table, by formulation and links; the best of all rounds."""

    def __init__(self, states, tips):
        self.best = {}
        self.errors = {}
        self.tips = tips
        for ours, theirs in OCTAVE.items():
            for state in states:
                links = len(state["q"])
                if links > LINKS:
                    continue
                found = chain_octave.accelerations(theirs, state["q"], state["v"])
                what = f"accelerations of {links} rods: Octave {ours}"
                agree(what, found, state["accelerations"], OCTAVE_AGREEMENT[ours])

    def lap(self):
        for ours, theirs in OCTAVE.items():
            for links, (seconds, tip) in chain_octave.published(theirs, self.tips).items():
                key = ours, links
                self.best[key] = min(self.best.get(key, np.inf), seconds)
                self.errors[key] = np.linalg.norm(tip - self.tips[links])


def print_sweeps(ours, peers):
    print("\none evaluation of a chain, ns, and how many times longer than Catena\n")
    for run in ours:
        links, catena_ns, hand_ns = int(run["links"]), run["catena_ns"], run["by_hand_ns"]
        rows = [("Catena recursive", catena_ns), ("Rust by hand, sweep", hand_ns)]
        rows += [(who, time) for (count, who), time in peers.best.items() if count == links]
        for who, time in rows:
            print(f"  {links:>5} links  {who:<44} {time:>9.0f} {time / catena_ns:>8.2f}")
    points = np.log([(run["links"], run["catena_ns"]) for run in ours if run["links"] >= LINKS])
    print(f"\n  exponent of Catena from {LINKS} links on: {np.polyfit(*points.T, 1)[0]:.3f}")


def print_heyoka(runs, rows):
    fit = [run["alone_ms"] for run in runs if run["tip_error"] <= TIP_ERROR]
    theirs = [min(row.seconds) * 1e3 for row in rows if row.who.startswith("heyoka") and row.error <= TIP_ERROR]
    if fit and theirs:
        wanted(f"tip within {TIP_ERROR:.0e} m: heyoka's time in ours", min(theirs) / min(fit), WANTED_HEYOKA)


def print_published(ours, octave):
    print("\nthe published table: 5 s, 50001 rows, ode45 at 1e-2, ms; error of the tip at 1 s, m\n")
    line = "  {:<22} {:>5} {:>10} {:>10} {:>10} {:>10} {:>7}"
    print(line.format("formulation", "links", "Catena", "error", "Octave", "error", "ratio"))
    for run in ours:
        links, time = int(run["links"]), run["best_ms"]
        cells = [run["formulation"], links, f"{time:.2f}", f"{run['tip_error']:.1e}", "-", "-", "-"]
        if octave is not None:
            key = run["formulation"], links
            theirs = octave.best[key] * 1e3
            cells[4:] = f"{theirs:.0f}", f"{octave.errors[key]:.1e}", f"{theirs / time:.0f}"
        print(line.format(*cells))


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    ours = catena("formulations", TABLES)
    tips = {int(entry["links"]): np.array(entry["tip"]) for entry in ours["tips"]}
    print("agreement with Catena, relative\n")
    evaluations = sweeps(ours["states"])
    rows = list(scipy_rows(tips[LINKS]))
    for name, there, more in (
        ("heyoka", chain_heyoka.heyoka, heyoka_rows),
        ("MuJoCo", chain_mujoco.mujoco, mujoco_rows),
        ("Exudyn", chain_exudyn.exudyn, exudyn_rows),
        ("Pinocchio", chain_pinocchio.pinocchio, None),
    ):
        if there is None:
            print(f"  {name} is not installed: its rows are left out")
        elif more is not None:
            rows += more(tips[LINKS])
    octave = None
    if chain_octave.BINARY is None:
        print("  GNU Octave is not installed: its rows are left out")
    else:
        octave = Octave(ours["states"], tips)
    for number in range(rounds):
        if number > 0:
            keep_best(ours, catena("formulations", TABLES), TABLES)
        evaluations.lap(200)
        for row in rows:
            row.lap(10, BUDGET)
        if octave is not None:
            octave.lap()
    print_sweeps(ours["sweep"], evaluations)
    print_motions(ours["integration"], rows)
    print_heyoka(ours["integration"], rows)
    print_published(ours["published"], octave)
    print(f"\n{rounds} rounds; Catena by wall time, peers by CPU time, each the best")


if __name__ == "__main__":
    main()
