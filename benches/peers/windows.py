"""A row of n square windows for ten seconds, beside Exudyn, measured in turn.

    benches/peers/run windows [ROUNDS]

Both keep the energy within 1e-3 J at every step. Exudyn is given what is fastest for it: steps, Newton's method, the
solver of linear equations. It is timed by the CPU time of its process, Catena by the wall.
"""

import sys

import numpy as np

import windows_exudyn
from measuring import Row, catena, keep_best, short
from windows_exudyn import CHOICES, DEFAULT, LINEAR_SOLVERS, T_END, TRAPEZOIDAL

TABLES = ("windows", "accurate", "formulations")
WANTED = 1e-3
# more windows take Exudyn minutes
COUNTS = (2, 10)
# a peer's run is repeated for so long in a round, s
BUDGET = 2.0


def rows_of(count, choice, solvers):
    """With the fewest steps that are enough, if there are any; the solver of linear equations only counts for time."""
    choice = choice._replace(linear_solver=solvers[0])
    steps, kept = windows_exudyn.fewest_steps(count, choice, WANTED)
    if kept is None or kept.energy_error > WANTED:
        error = "the row is lost" if kept is None else f"an error of {kept.energy_error:.1e} J"
        print(f"  {count:>2} windows, {choice}: {error} with {steps} steps", flush=True)
        return
    for solver in solvers:
        chosen = choice._replace(linear_solver=solver)
        windows = windows_exudyn.Windows(count)
        run = lambda windows=windows, chosen=chosen: windows.integrate(chosen, steps)  # noqa: E731
        row = Row(str(chosen), T_END / steps, run, kept.energy_error)
        row.count, row.choice, row.kept = count, chosen, kept
        row.lap(3, BUDGET)
        print(f"  {count:>2} windows, {chosen}: {min(row.seconds) * 1e3:.0f} ms with {steps} steps", flush=True)
        yield row


def fastest(rows):
    return min(rows, key=lambda row: min(row.seconds))


def exudyn_rows():
    """As it comes, and what is fastest for it, by the number of windows."""
    print("looking for what is fastest for Exudyn\n")
    few = COUNTS[0]
    list(rows_of(few, TRAPEZOIDAL, [DEFAULT.linear_solver]))
    rows = list(rows_of(few, DEFAULT, [DEFAULT.linear_solver]))
    tried = [row for choice in CHOICES for row in rows_of(few, choice, LINEAR_SOLVERS)]
    best = fastest(tried)
    rows.append(best)
    rows += (fastest(rows_of(count, best.choice, LINEAR_SOLVERS)) for count in COUNTS[1:])
    return rows


def ours_beside(tables, count, energy, angle=np.inf):
    """Our fastest run whose errors of energy and angle are not larger."""
    runs = (run for table in TABLES for run in tables[table] if run["windows"] == count and run["step"] is not None)
    fit = [run for run in runs if run["energy_error"] <= energy and run["angle_error"] <= angle]
    return min(fit, key=lambda run: run["alone_ms"], default=None)


def print_rows(tables, rows):
    print("\nn windows for 10 s; energy error of all steps, J; split of the uprights and error of their angle, rad\n")
    line = "  {:>7} {:<72} {:>7} {:>9} {:>8} {:>8} {:>8}"
    print(line.format("windows", "who", "step", "best, ms", "energy", "split", "angle"))
    for run in tables["windows"] + tables["accurate"] + tables["formulations"]:
        name = f"Catena {run['formulation']}, {run['integrator']}"
        if run["step"] is None:
            print(line.format(int(run["windows"]), name, *"-----"))
            continue
        errors = (f"{run[key]:.1e}" for key in ("energy_error", "split", "angle_error"))
        print(line.format(int(run["windows"]), name, short(run["step"]), f"{run['alone_ms']:.3f}", *errors))
    for row in rows:
        errors = (f"{error:.1e}" for error in (row.error, row.kept.split, angle_error(tables, row)))
        best = f"{min(row.seconds) * 1e3:.1f}"
        print(line.format(row.count, f"Exudyn {row.who}", short(row.tolerance), best, *errors))


def angle_error(tables, row):
    """Of the uprights at the end."""
    ends = {end["windows"]: end["angle"] for end in tables["angles"]}
    return abs(row.kept.angle - ends[row.count])


def print_ratios(tables, rows):
    print("\nhow many times longer Exudyn takes than our fastest run: alone, and with equations and compiling\n")
    for row in rows:
        print(f"  {row.count} windows, Exudyn {row.who}")
        for label, *bounds in (
            ("both within 1e-3 J", WANTED),
            ("its error of energy", row.error),
            ("its errors of energy and angle", row.error, angle_error(tables, row)),
        ):
            run = ours_beside(tables, row.count, *bounds)
            if run is None:
                print(f"    {label:<32} none is as accurate")
                continue
            ours = f"{run['formulation']}, {run['integrator']}, step {short(run['step'])}"
            alone, everything = (min(row.seconds) * 1e3 / run[key] for key in ("alone_ms", "run_ms"))
            print(f"    {label:<32} {alone:6.0f} {everything:6.0f}   ({ours})")


def print_growth(tables):
    counts = sorted({run["windows"] for run in tables["windows"]})
    print("\nCatena's fastest, by the number of windows, ms: alone, and with equations and compiling\n")
    runs = [ours_beside(tables, count, WANTED) for count in counts]
    for run in runs:
        print(f"  {int(run['windows']):>3} windows {run['alone_ms']:>8.3f} {run['run_ms']:>8.2f}   {run['integrator']}")
    for key in ("alone_ms", "run_ms"):
        points = np.log([(run["windows"], run[key]) for run in runs])
        print(f"  exponent of {key} from {counts[0]:g} to {counts[-1]:g} windows: {np.polyfit(*points.T, 1)[0]:.2f}")


def main():
    if windows_exudyn.exudyn is None:
        sys.exit("Exudyn is not installed")
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    rows = exudyn_rows()
    tables = catena("windows", TABLES)
    for number in range(rounds):
        if number > 0:
            keep_best(tables, catena("windows", TABLES), TABLES)
        for row in rows:
            row.lap(10, BUDGET)
    print_rows(tables, rows)
    print_ratios(tables, rows)
    print_growth(tables)
    print(f"\n{rounds} rounds; Catena by wall time, Exudyn by CPU time, each the best")


if __name__ == "__main__":
    main()
