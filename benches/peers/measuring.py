"""What the comparisons share: laps of a peer, our bench, agreement."""

import json
import subprocess
import sys
from time import process_time

import numpy as np

AGREEMENT = 1e-10


class Row:
    """A peer's run, timed again and again."""

    def __init__(self, who, tolerance, run, error):
        self.who, self.tolerance, self.run, self.error = who, tolerance, run, error
        self.seconds = []
        self.steps = self.evaluations = None

    def lap(self, repeats, budget=np.inf):
        """So many times, or fewer if they take longer than the budget, s; at least once."""
        begun = process_time()
        for _ in range(repeats):
            start = process_time()
            if self.seconds and start - begun > budget:
                return
            self.steps, self.evaluations = self.run()
            self.seconds.append(process_time() - start)


class Evaluations:
    """One evaluation of each peer, ns; the best of many."""

    def __init__(self):
        self.best = {}
        self.calls = {}

    def add(self, key, call, evaluations):
        self.calls[key] = call, evaluations

    def lap(self, repeats):
        for key, (call, evaluations) in self.calls.items():
            for _ in range(repeats):
                start = process_time()
                call()
                seconds = (process_time() - start) / evaluations
                self.best[key] = min(self.best.get(key, np.inf), seconds * 1e9)


def catena(bench, tables):
    """The tables of one of our benches."""
    command = ["cargo", "bench", "--quiet", "-p", "catena-benches", "--bench", bench, "--", "--json", *tables]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def keep_best(best, new, tables):
    """Of two measurements of the same tables, the shorter times."""
    for name in tables:
        for row, other in zip(best[name], new[name]):
            for key in row:
                # what could not be measured is none
                if key.endswith(("_ms", "_us", "_ns")) and row[key] is not None:
                    row[key] = min(row[key], other[key])


def agree(what, found, expected, agreement=AGREEMENT):
    difference = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    print(f"  {what:<70} {difference:.1e}", flush=True)
    if not difference < agreement:
        sys.exit(f"{what} differs")


def wanted(what, found, least):
    print(f"  {what:<56} {found:6.2f}   wanted {least:.2f}{'' if found >= least else ', not met'}")


def short(number):
    """1e-4, 2.5e-3"""
    return np.format_float_scientific(number, precision=2, trim="-", exp_digits=1)


def ours_beside(row, runs, method=None):
    """Our fastest run whose error is not larger."""
    fit = [r for r in runs if r["tip_error"] <= row.error and method in (None, r["integrator"])]
    return min(fit, key=lambda run: run["alone_ms"], default=None)


def print_motions(runs, rows):
    print("\n20 rods fall for 5 s: the integration alone; the tip at 1 s\n")
    line = "  {:<34} {:>9} {:>9} {:>6} {:>11} {:>10}"
    print(line.format("who", "tolerance", "best, ms", "steps", "evaluations", "error, m"))
    for run in runs:
        counts = int(run["steps"]), int(run["evaluations"])
        name, tolerance, time = f"Catena {run['integrator']}", run["tolerance"], run["alone_ms"]
        print(line.format(name, short(tolerance), f"{time:.2f}", *counts, f"{run['tip_error']:.1e}"))
    for row in rows:
        counts = row.steps or "-", row.evaluations or "-"
        best = f"{min(row.seconds) * 1e3:.2f}"
        print(line.format(row.who, short(row.tolerance), best, *counts, f"{row.error:.1e}"))
    print("\nhow many times longer a peer takes than our fastest run with an error that is not larger\n")
    for row in rows:
        for method, label in (("dopri5", "by dopri5"), (None, "by any")):
            run = ours_beside(row, runs, method)
            who = f"{row.who} {short(row.tolerance)}"
            if run is None:
                print(f"  {who:<42} {label:<10} none is as accurate")
                continue
            ratio = min(row.seconds) * 1e3 / run["alone_ms"]
            print(f"  {who:<42} {label:<10} {ratio:6.2f}   ({run['integrator']} {short(run['tolerance'])})")
