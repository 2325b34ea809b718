"""A sweep on Dask while workers and the client are killed; see `tests/python/dask`."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

import catena

SHAPE = (400, 250)
"""100 000 trajectories."""

CORE_SECONDS = 60.0
"""How long all of them are to take on one core."""

KILL_PERIOD = 4.0
"""A worker is killed this often, s."""

CLIENT_DIES_AT = 0.3
"""The part that is done when the client is killed."""

MAX_SECONDS = 600.0
"""Whatever takes longer hangs."""

MEASURES = ["last:theta1", "max:theta2"]


def sweep(shape: tuple[int, int], t_end: float, **keywords: Any) -> catena.Sweep:
    over = {"theta1": (0.1, 3.0, shape[0]), "theta2": (0.0, 3.0, shape[1])}
    return catena.load("double-pendulum").sweep(over, MEASURES, t_end=t_end, **keywords)


class Cluster:
    """A scheduler and workers, each in a process of its own."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.workers: list[subprocess.Popen[bytes]] = []
        self.killed = 0
        self.dask = pathlib.Path(sys.executable).parent / "dask"
        file = folder / f"{name}.json"
        command = [self.dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file]
        self.scheduler = self.start(command)
        until(file.exists, "the scheduler starts")
        until(lambda: bool(file.read_text()), "the scheduler starts")
        self.address = json.loads(file.read_text())["address"]

    def start(self, command: list[Any], **environment: str) -> subprocess.Popen[bytes]:
        log = open(self.folder / f"{self.name}.log", "ab")
        return subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **environment})

    def add_worker(self, *more: Any, **environment: str) -> None:
        command = [self.dask, "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", *more]
        self.workers.append(self.start(command, **environment))

    def wait_for(self, count: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)

    def kill_a_worker(self) -> None:
        """The oldest one, as nobody expects it; another one comes."""
        worker = self.workers.pop(0)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        self.killed += 1
        self.add_worker()

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def until(happens: Any, what: str) -> None:
    end = time.monotonic() + 60
    while not happens():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: waited for a minute")
        time.sleep(0.05)


def cpu_seconds(process: int) -> float:
    """Time that a process computed, s."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def client(address: str, t_end: str, store: str) -> None:
    """What dies once and is started again."""
    found = sweep(SHAPE, float(t_end), executor=address, store=store, resume=True)
    print(json.dumps(found.attempt), flush=True)


def chosen_end() -> float:
    """The end of trajectories with which all of them take the time that is meant."""
    probe = sweep((50, 40), 5.0, threads=1)
    return round(5.0 * CORE_SECONDS / (probe.attempt["seconds"] * SHAPE[0] * SHAPE[1] / 2000), 1)


def throughput(folder: pathlib.Path, t_end: float) -> None:
    """Two workers against one, and what the scheduler takes."""
    shape = (SHAPE[0] // 2, SHAPE[1])
    rates = []
    # where others compute as well, two workers are worth less; the run before this one counts, too
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    cluster = Cluster(folder, "throughput")
    try:
        for workers in (1, 2):
            cluster.add_worker()
            cluster.wait_for(workers)
            before = cpu_seconds(cluster.scheduler.pid) + time.process_time()
            found = sweep(shape, t_end, executor=cluster.address)
            spent = cpu_seconds(cluster.scheduler.pid) + time.process_time() - before
            attempt = found.attempt
            rates.append(found.computed.size / attempt["seconds"])
            idle = 1 - attempt["task_seconds"] / (attempt["seconds"] * workers)
            print(
                f"{workers} worker{'s' if workers > 1 else ''}: {rates[-1]:.0f} trajectories a second, "
                f"{attempt['tasks']} tasks of {attempt['task_seconds'] / attempt['tasks']:.2f} s; "
                f"workers without work {100 * idle:.1f} %; "
                f"scheduler and client {100 * spent / attempt['task_seconds']:.1f} % of the workers' time",
                flush=True,
            )
    finally:
        cluster.close()
    print(f"two workers against one: {rates[1] / rates[0]:.2f} ×", flush=True)


def killed(folder: pathlib.Path, t_end: float, alone: catena.Sweep) -> None:
    """Workers die every few seconds, the client once."""
    store = folder / "map.sweep"
    cluster = Cluster(folder, "killed")
    clients = 0

    def begun() -> subprocess.Popen[bytes]:
        command = [sys.executable, __file__, "client", cluster.address, str(t_end), str(store)]
        return subprocess.Popen(command, stdout=subprocess.PIPE)

    try:
        cluster.add_worker()
        cluster.add_worker()
        cluster.wait_for(2)
        began = last_kill = time.monotonic()
        process = begun()
        clients += 1
        while process.poll() is None:
            time.sleep(0.2)
            now = time.monotonic()
            if now - began > MAX_SECONDS:
                process.kill()
                raise SystemExit("the sweep hangs")
            if now - last_kill > KILL_PERIOD:
                cluster.kill_a_worker()
                last_kill = now
            if clients == 1 and store.exists() and part_done(store) > CLIENT_DIES_AT:
                process.kill()
                process.wait()
                process = begun()
                clients += 1
        seconds = time.monotonic() - began
        attempt = json.loads(process.communicate()[0] or b"{}")
        if process.returncode != 0:
            raise SystemExit(f"the client ended with {process.returncode}")
    finally:
        cluster.close()
    found = catena.read_sweep(store)
    equal = all(found[name].tobytes() == alone[name].tobytes() for name in MEASURES)
    print(
        f"killed: {cluster.killed} workers and {clients - 1} client in {seconds:.0f} s; "
        f"the second client computed {attempt['blocks']:.0f} blocks and sent {attempt['lost_tasks']:.0f} tasks again; "
        f"complete: {found.complete}; equal to one process: {equal}; made on {found.processors}",
        flush=True,
    )
    if not (found.complete and equal and clients == 2 and cluster.killed >= 2):
        raise SystemExit("the sweep that was disturbed is not that of one process")


def part_done(store: pathlib.Path) -> float:
    """The part that a file holds already."""
    import sqlite3

    with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10) as connection:
        try:
            return float(connection.execute("SELECT total(cells) FROM blocks").fetchone()[0]) / (SHAPE[0] * SHAPE[1])
        except sqlite3.OperationalError:
            return 0.0


def refusals(folder: pathlib.Path) -> None:
    """Workers without the package, and with another version."""
    missing = folder / "missing" / "catena"
    missing.mkdir(parents=True)
    (missing / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'catena'\", name='catena')\n")
    older = folder / "older.py"
    older.write_text("import catena._core\ncatena._core.version = lambda: '0.0.1'\n")
    for name, more, environment, words in [
        ("missing", [], {"PYTHONPATH": str(missing.parent)}, "has no Catena; the sweep comes from Catena"),
        ("older", ["--preload", older], {}, "a worker has Catena 0.0.1, and the sweep comes from Catena"),
    ]:
        cluster = Cluster(folder, name)
        try:
            cluster.add_worker(*more, **environment)
            cluster.wait_for(1)
            sweep((10, 10), 0.1, executor=cluster.address)
        except catena.CatenaError as error:
            print(f"{name}: {error.message}", flush=True)
            if words not in error.message:
                raise
        else:
            raise SystemExit(f"{name}: it was not refused")
        finally:
            cluster.close()


def from_the_shell(folder: pathlib.Path) -> None:
    """`catena sweep --on` gives the table of `catena sweep`."""
    root = pathlib.Path(__file__).parents[2]
    programs = [root / "target" / profile / "catena" for profile in ("release", "debug")]
    program = next((program for program in programs if program.exists()), None)
    if program is None:
        print("from the shell: not tried, the program is not built", flush=True)
        return
    command: list[Any] = [program, "sweep", "double-pendulum", "--set", "l1=0.8", "--to", "2", "--rtol", "1e-8"]
    command += ["--over", "theta1=0.1:3:50", "--over", "m2=1,2,0"]
    environment = {**os.environ, "CATENA_PYTHON": sys.executable}
    cluster = Cluster(folder, "shell")
    try:
        cluster.add_worker()
        command_on = [*command, "--on", cluster.address.replace("tcp:", "dask:"), "-o", folder / "shell.sweep"]
        command_on += ["--export", folder / "on.csv"]
        done = subprocess.run(command_on, env=environment, stdout=subprocess.PIPE, text=True, timeout=MAX_SECONDS)
    finally:
        cluster.close()
    print("from the shell:", *done.stdout.splitlines()[-2:], flush=True)
    subprocess.run([*command, "--export", folder / "here.csv"], stdout=subprocess.DEVNULL, check=True)
    if done.returncode != 0 or (folder / "on.csv").read_text() != (folder / "here.csv").read_text():
        raise SystemExit("from the shell: not the table of one process")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        refusals(folder)
        from_the_shell(folder)
        t_end = chosen_end()
        alone = sweep(SHAPE, t_end)
        rate = alone.computed.size / alone.attempt["seconds"]
        print(f"one process, {os.cpu_count()} threads: {rate:.0f} trajectories a second to {t_end} s", flush=True)
        throughput(folder, t_end)
        killed(folder, t_end, alone)
    if not np.isfinite(alone["last:theta1"]).all():
        raise SystemExit("some trajectories failed")


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        client(*sys.argv[2:])
    else:
        main()
