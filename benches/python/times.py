"""How long the Python package takes beside Rust, SymPy, Numba and SciPy: three tables, everything measured in turn."""

from __future__ import annotations

import importlib
import io
import json
import os
import subprocess
import sys
import time
import tokenize
from collections.abc import Callable
from pathlib import Path

import numpy as np

import catena
import triple_pendulum

STATES = 1_000_000
LAPS = 20
HERE = Path(__file__).parent


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def in_turn(rounds: int, works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The best time of each: what disturbs one only makes it longer."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = min(best[name], seconds(work))
    return best


def runs(native: str, rounds: int) -> None:
    model = catena.load("double-pendulum")
    prepared = model.prepare()
    works: dict[str, tuple[str, Callable[[], object]]] = {
        "whole": ("20 s, 1001 rows, with its error", lambda: prepared.run()),
        "short": ("1 s, 51 rows, with its error", lambda: prepared.run(t_end=1.0)),
        "uncertified": ("20 s, 1001 rows, without", lambda: prepared.run(certify=False)),
        "scratch": ("1 s, derived and compiled for it", lambda: model.run(t_end=1.0)),
    }
    rust, python = dict.fromkeys(works, float("inf")), dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        told = json.loads(subprocess.run([native, "--bench"], capture_output=True, text=True, check=True).stdout)
        for name, (_, work) in works.items():
            rust[name] = min(rust[name], told[name])
            python[name] = min(python[name], 1e6 * min(seconds(work) for _ in range(LAPS)))
    print("run of the double pendulum, mostly prepared        Rust      Python     allowed: 1.2 x Rust + 30 µs")
    for name, (words, _) in works.items():
        allowed = 1.2 * rust[name] + 30
        kept = "kept" if python[name] <= allowed else "MISSED"
        print(f"  {words:42} {rust[name]:9.0f} µs {python[name]:9.0f} µs {allowed:9.0f} µs  {kept}")
    state = prepared.y0.copy()
    each = min(seconds(lambda: [prepared.rhs(0.0, state) for _ in range(1000)]) for _ in range(rounds)) / 1000
    print(f"  one call of prepared.rhs(t, y)                                 {1e6 * each:9.2f} µs\n")


def accelerations(rounds: int) -> None:
    functions = catena.load("triple-pendulum").prepare().functions
    q, v = np.random.default_rng(1).uniform(-3, 3, (2, STATES, 3))
    t = 0.3
    sympy = triple_pendulum.by_sympy()
    out, by_hand = np.empty((STATES, 3)), np.empty((STATES, 3))
    functions.accelerations(t, q, v, out=out)
    triple_pendulum.by_hand(t, q, v, by_hand)
    size = 1 + np.abs(out)
    for other in (by_hand, sympy(t, q, v)):
        assert (np.abs(other - out) / size).max() < 1e-8, "the three do not compute the same"
    import numba

    def loop(threads: int) -> None:
        numba.set_num_threads(threads)
        triple_pendulum.by_hand(t, q, v, by_hand)

    cores = min(os.cpu_count() or 1, numba.config.NUMBA_NUM_THREADS)
    best = in_turn(
        rounds,
        {
            f"Catena, {cores} threads": lambda: functions.accelerations(t, q, v, out=out, threads=cores),
            f"Numba, a loop by hand, {cores} threads": lambda: loop(cores),
            "Catena, 1 thread": lambda: functions.accelerations(t, q, v, out=out, threads=1),
            "Numba, a loop by hand, 1 thread": lambda: loop(1),
            "SymPy lambdify + NumPy solve": lambda: sympy(t, q, v),
        },
    )
    fastest = best[f"Catena, {cores} threads"]
    print(f"accelerations of the triple pendulum, {STATES} states, into `out`       ms    times Catena")
    for name, taken in best.items():
        print(f"  {name:60} {1e3 * taken:9.1f} {taken / fastest:9.2f}")
    print()


def lines(path: Path) -> int:
    """Lines with code: neither empty nor comments nor documentation."""
    quiet = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    found, fresh = set(), True
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        documentation = token.type == tokenize.STRING and fresh
        if token.type not in quiet and not documentation:
            found.update(range(token.start[0], token.end[0] + 1))
        fresh = token.type in quiet and (fresh or token.type != tokenize.COMMENT)
    return len(found)


def studies(rounds: int) -> None:
    print("five bobs from eight starts, 5 s each               lines   seconds   energy kept to   tips agree to")
    reference = None
    for name, words in (
        ("study_sympy", "SymPy (Kane) and SciPy"),
        ("study_rhs", "Catena's right-hand side and SciPy"),
        ("study_catena", "Catena, each motion with its error"),
    ):
        study = importlib.import_module(name).study
        taken, (tips, drifts) = float("inf"), (None, None)
        for _ in range(1 if name == "study_sympy" else rounds):
            began = time.perf_counter()
            tips, drifts = study()
            taken = min(taken, time.perf_counter() - began)
        reference = tips if reference is None else reference
        apart = np.abs(tips - reference).max()
        print(f"  {words:46} {lines(HERE / f'{name}.py'):8} {taken:9.3f} {drifts.max():14.1e} J {apart:13.1e} m")


if __name__ == "__main__":
    native, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    runs(native, rounds)
    accelerations(rounds)
    studies(rounds)
