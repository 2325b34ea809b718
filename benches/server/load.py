"""Many clients ask at once. Every job is answered, with its own numbers, or told that it has to come again; when all are
done the memory is what it was. Figures are printed; what must hold is checked, times are not."""

import base64
import collections
import http.client
import json
import os
import random
import statistics
import struct
import subprocess
import sys
import threading
import time

CLIENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 50
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
CORES = 2
# how much of the memory before may be added
ALLOWED_GROWTH = 0.10


def start():
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    server = subprocess.Popen(
        [os.environ["CATENA"], "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    line = server.stdout.readline()
    address = line.split("http://")[1].split("/")[0]
    return server, address


def resident(process):
    """Memory of a process and of those that it has started, bytes."""
    total = 0
    listed = subprocess.run(
        ["ps", "-o", "rss=", "--pid", str(process), "--ppid", str(process)],
        capture_output=True, text=True, check=True,
    )
    for size in listed.stdout.split():
        total += int(size) * 1024
    return total


def workers(process):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True)
    return len(listed.stdout.split())


def first_value(columns, name):
    column = next(column for column in columns if column["name"] == name)
    return struct.unpack_from("<d", base64.b64decode(column["values"]))[0]


def run(chance):
    """A run that starts where nobody else's does; its first row says whose it is."""
    start = round(chance.uniform(0.1, 3.0), 9)
    request = {
        "do": "run", "model": {"name": "double-pendulum"},
        "set": {"theta1": repr(start)}, "options": {"t_end": str(chance.choice([5, 10, 20]))},
    }

    def is_right(parts, reply):
        return first_value(parts[0]["run"]["columns"], "theta1") == start and reply["certificate"]["stop"] == "finished"

    return request, is_right


def four_bar(chance):
    rate = round(chance.uniform(1.0, 6.0), 9)
    request = {
        "do": "run", "model": {"name": "four-bar"}, "set": {"theta2'": repr(rate)}, "options": {"t_end": "3"},
    }

    def is_right(parts, reply):
        return abs(first_value(parts[0]["run"]["columns"], "theta2'") - rate) < 1e-9 and "certificate" in reply

    return request, is_right


def modes(chance):
    length = round(chance.uniform(0.5, 2.0), 9)
    request = {"do": "ask", "question": "modes", "model": {"name": "single-pendulum"}, "set": {"l": repr(length)}}

    def is_right(_, reply):
        # a rod about its end: (2 pi f)^2 = 3 g / (2 l)
        found = reply["answer"]["result"]["undamped_hz"][0]
        return abs(found * 2 * 3.141592653589793 / (1.5 * 9.81 / length) ** 0.5 - 1) < 1e-6

    return request, is_right


def check(chance):
    length = round(chance.uniform(0.5, 2.0), 9)
    request = {"do": "model", "model": {"name": "four-bar"}, "set": {"L3": repr(2 + length)}}

    def is_right(_, reply):
        values = {parameter["name"]: parameter["value"] for parameter in reply["about"]["parameters"]}
        return values["L3"] == 2 + length

    return request, is_right


KINDS = [run, run, four_bar, modes, check]


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.count = collections.Counter()
        self.times = collections.defaultdict(list)
        self.longest_queue = 0
        self.faults = []


def ask(address, request, tally):
    """The parts and the reply, or none if the server is busy."""
    connection = http.client.HTTPConnection(address, timeout=300)
    try:
        connection.request("POST", "/api/1/ask", json.dumps(request), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        if answer.status == 429:
            error = json.loads(answer.read())["error"]
            assert error["kind"] == "busy" and error["message"].startswith("busy, position "), error
            return None, float(answer.getheader("Retry-After"))
        assert answer.status == 200, answer.read()
        parts, event = [], None
        for line in answer:
            line = line.decode().rstrip("\n")
            if line.startswith("event: "):
                event = line[7:]
            elif line.startswith("data: "):
                data = line[6:]
                if event == "part":
                    parts.append(json.loads(data))
                elif event == "queued":
                    with tally.lock:
                        tally.longest_queue = max(tally.longest_queue, json.loads(data)["position"])
                elif event == "done":
                    return parts, json.loads(data)
        raise AssertionError("the stream ended without a reply")
    finally:
        connection.close()


def client(number, address, until, tally):
    chance = random.Random(number)
    while time.time() < until:
        make = chance.choice(KINDS)
        request, is_right = make(chance)
        began = time.time()
        try:
            while True:
                parts, reply = ask(address, request, tally)
                if parts is not None:
                    break
                with tally.lock:
                    tally.count["busy"] += 1
                time.sleep(reply * chance.uniform(0.5, 1.0))
            right = "error" not in reply and is_right(parts, reply)
            fault = None if right else f"{request}: {json.dumps(reply)[:300]}"
        except Exception as error:  # whatever it is, it is counted
            fault = f"{request}: {error!r}"
        with tally.lock:
            tally.count["wrong" if fault else "right"] += 1
            tally.times[make.__name__].append(time.time() - began)
            if fault:
                tally.faults.append(fault)


def storm(address, seconds, tally):
    until = time.time() + seconds
    threads = [
        threading.Thread(target=client, args=(number, address, until, tally)) for number in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    server, address = start()
    try:
        # workers are there and have done everything once before the memory is looked at
        storm(address, 3.0, Tally())
        time.sleep(1)
        before = resident(server.pid)
        tally = Tally()
        began = time.time()
        storm(address, SECONDS, tally)
        took = time.time() - began
        time.sleep(2)
        after = resident(server.pid)
        count = workers(server.pid)
    finally:
        server.terminate()
        code = server.wait()
    growth = after / before - 1
    print(f"{CLIENTS} clients on {CORES} cores for {took:.0f} s: {tally.count['right']} jobs right, {tally.count['wrong']} wrong")
    print(f"busy was said {tally.count['busy']} times; the longest queue was {tally.longest_queue}")
    for name, times in sorted(tally.times.items()):
        print(f"  {name}: {len(times)} jobs, median {statistics.median(times):.2f} s, longest {max(times):.2f} s")
    print(f"memory of the server and its {count} workers: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after ({growth:+.1%})")
    for fault in tally.faults[:5]:
        print(fault)
    if tally.count["wrong"] or not tally.count["right"] or growth > ALLOWED_GROWTH or code != 0:
        sys.exit("the server did not hold")


main()
