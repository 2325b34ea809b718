"""The pages of the tour: what is made by which command."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

CATENA = os.environ.get("CATENA", "target/release/catena")
MODELS = Path("tests/browser/models")
FOLDER = Path("target/browser")
STUDIES = ["articulated", "penalty", "triple", "four-bar"]

# of a mechanism whose loop is open, and of a result that is wrong
FAILED = 1


@dataclass
class Page:
    """A file to be opened."""

    name: str
    path: Path
    # "player", "report", "gallery", "study", "plots" or "picture"
    kind: str


def catena(*words, code=0):
    """Runs the program and returns what it says; another exit code than the expected one ends the tour."""
    done = subprocess.run([CATENA, *map(str, words)], capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"catena {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr


def systems():
    """The names of ready systems."""
    return sorted(path.stem for path in Path("crates/systems/models").glob("*.toml") if path.stem != "starter")


def make(wanted):
    """Makes the pages whose names contain the wanted word."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = []

    def add(name, kind, *command, ending="html", code=0):
        if wanted not in name:
            return
        path = FOLDER / f"{name}.{ending}"
        path.unlink(missing_ok=True)
        catena(*[path if word == "FILE" else word for word in command], code=code)
        if not path.exists():
            raise SystemExit(f"{name}: there is no {path}")
        pages.append(Page(name, path, kind))

    for system in systems():
        add(system, "player", "run", system, "--no-certify", "--animate", "FILE")
    for model in ["geared", "slotted", "planetary", "valve"]:
        add(model, "player", "run", MODELS / f"{model}.toml", "--no-certify", "--animate", "FILE")
    # a bad tolerance, so that links are seen to come apart
    add("loose-four-bar", "player", "run", "four-bar-bodies", "--formulation", "multipliers", "--rtol", "3e-3",
        "--no-certify", "--animate", "FILE", code=FAILED)
    add("chain-of-40", "player", "run", "chain", "--set", "links=40", "--to", "10", "--no-certify", "--animate", "FILE")
    add("modes", "player", "analyze", "modes", "triple-pendulum", "--animate", "FILE")
    add("kinematics", "player", "analyze", "kinematics", "quick-return", "--animate", "FILE")
    add("kinematics-four-bar", "player", "analyze", "kinematics", "four-bar", "--drive", "theta2", "--animate", "FILE")
    add("inverse", "player", "analyze", "inverse", "slider-crank", "--drive", "theta", "--animate", "FILE")
    add("compare", "player", "compare", "four-bar-bodies", "--to", "2", "--animate", "FILE")
    add("gallery", "gallery", "gallery", "-o", "FILE")
    add("report-double-wishbone", "report", "report", "double-wishbone", "-o", "FILE")
    add("report-geared", "report", "report", MODELS / "geared.toml", "-o", "FILE")
    if any(wanted in f"study-{study}" for study in STUDIES):
        catena("reproduce", "all", "--quick", "-o", FOLDER / "studies")
        pages += [Page(f"study-{study}", FOLDER / "studies" / study / "index.html", "study")
                  for study in STUDIES if wanted in f"study-{study}"]
    add("open-loop", "picture", "check", MODELS / "open-loop.toml", "--draw", "FILE", ending="svg", code=FAILED)
    for system in ["double-wishbone", "scissor-lift", "desk-lamp", "dwell-linkage"]:
        add(f"still-{system}", "picture", "draw", system, "--poses", "4", "--trails", "--names", "-o", "FILE", ending="svg")
    for model in ["geared", "slotted", "planetary", "valve"]:
        add(f"still-{model}", "picture", "draw", MODELS / f"{model}.toml", "--at", "1", "--forces", "--names", "--centres",
            "-o", "FILE", ending="svg")
    return pages
