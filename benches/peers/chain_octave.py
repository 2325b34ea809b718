"""GNU Octave: the published table by its ode45; the formulations stand in octave/."""

import shutil
import subprocess
from pathlib import Path

import numpy as np

SOURCES = Path(__file__).parent / "octave"
BINARY = shutil.which("octave-cli") or shutil.which("octave")


def call(text):
    """What Octave prints, as rows of numbers."""
    command = [BINARY, "--norc", "--no-history", "--path", str(SOURCES), "--eval", text]
    # some versions complain on their way out
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def accelerations(formulation, q, v):
    numbers = [",".join(repr(x) for x in values) for values in (q, v)]
    return np.array(call(f"accelerations('{formulation}', [{numbers[0]}], [{numbers[1]}])"))[:, 0]


def published(formulation, links):
    """For each number of links: CPU seconds and where the tip is at 1 s."""
    rows = call(f"published('{formulation}', [{' '.join(str(n) for n in links)}])")
    return {int(n): (seconds, np.array([x, y])) for n, seconds, _, x, y in rows}
