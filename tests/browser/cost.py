"""What a frame of a large film costs the page. Printed, never asserted: machines differ."""

import json

from browser import Visit

FRAMES = 300


def summed(values):
    values = sorted(values)
    if not values:
        return "not measured"
    return f"mean {sum(values) / len(values):.2f} ms, 95 % below {values[int(0.95 * (len(values) - 1))]:.2f} ms"


def print_cost(browser, page, failures):
    with Visit(browser, page, "desk", "light", failures) as visit:
        visit.evaluate("catena.play(false)")
        script = visit.evaluate(
            """(count) => new Promise((done) => {
                const costs = [];
                const times = CatenaScene.floats(JSON.parse(document.getElementById("catena-data").textContent).times);
                function next() {
                    const began = performance.now();
                    catena.seek(times[Math.floor((costs.length + 0.5) * (times.length - 1) / count)]);
                    costs.push(performance.now() - began);
                    if (costs.length < count) requestAnimationFrame(next); else done(costs);
                }
                requestAnimationFrame(next);
            })""",
            FRAMES,
        )
        print(f"{page.name}: {FRAMES} frames, script alone: {summed(script)}")
        browser.start_tracing(page=visit.page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
        visit.evaluate("catena.play(true)")
        visit.page.wait_for_function("(count) => new Promise((done) => { let n = 0; const tick = () => ++n < count ? requestAnimationFrame(tick) : done(true); tick(); })", arg=FRAMES, timeout=120_000)
        trace = json.loads(browser.stop_tracing())
        print(f"{page.name}: main thread while it plays, with style, layout and paint: {summed(frames(trace['traceEvents']))}")


def frames(events):
    """The work of the main thread between one frame and the next, ms."""
    main = {(event["pid"], event["tid"]) for event in events if event.get("name") == "FireAnimationFrame"}
    work = [event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) in main and "dur" in event]
    names = {"FireAnimationFrame", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer", "CompositeLayers", "IntersectionObserverController::computeIntersections"}
    work = sorted((event for event in work if event["name"] in names), key=lambda event: event["ts"])
    costs, current, end = [], None, 0
    for event in work:
        if event["name"] == "FireAnimationFrame":
            if current is not None:
                costs.append(current / 1000)
            current, end = 0, 0
        if current is None:
            continue
        # what happens inside of something else is counted with it
        if event["ts"] >= end:
            current += event["dur"]
            end = event["ts"] + event["dur"]
    return costs
