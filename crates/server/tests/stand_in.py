"""Stands in for a worker: one request a line in, one event a line out, and every bad habit on demand."""

import json
import os
import sys
import threading
import time

cancelled = threading.Event()
requests = []
waiting = threading.Condition()


def say(**event):
    print(json.dumps(event, separators=(",", ":")), flush=True)


def listen():
    for line in sys.stdin:
        request = json.loads(line)
        if "cancel" in request:
            cancelled.set()
            continue
        cancelled.clear()
        with waiting:
            requests.append(request)
            waiting.notify()
    os._exit(0)


def answer(request):
    for part in request.get("progress", []):
        say(event="progress", part=part)
    for part in request.get("parts", []):
        say(event="part", part=part)
    if "write" in request:
        say(event="part", part="x" * request["write"])
    if "sleep" in request:
        cancelled.wait(request["sleep"])
    if "hang" in request:
        time.sleep(request["hang"])
    if "hold" in request:
        kept = bytearray(os.urandom(1)) * request["hold"]
        # touched, so that the memory is there
        kept[::4096] = b"x" * len(kept[::4096])
        cancelled.wait(request.get("for", 60))
    if "garble" in request:
        print(request["garble"], flush=True)
    if "crash" in request:
        print("thread 'main' panicked: " + request["crash"], file=sys.stderr, flush=True)
        os.abort()
    reply = {"error": {"kind": "cancelled", "message": "cancelled"}} if cancelled.is_set() else {}
    reply.update(request.get("reply", {}), process=os.getpid())
    say(event="done", reply=reply)


threading.Thread(target=listen, daemon=True).start()
while True:
    with waiting:
        waiting.wait_for(lambda: requests)
        request = requests.pop(0)
    answer(request)
