"""What the page of a study must show: figures that can be read, and films that move."""

# Texts of one drawing that cover each other, and axes between which nothing is drawn.
FIGURES = """() => [...document.querySelectorAll("figure.sheet > svg")].flatMap((svg, number) => {
    const name = svg.getAttribute("aria-label") || `figure ${number}`;
    const said = [];
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other, later) => {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (wide > 2 && high > 4) {
            said.push(`${name}: "${texts[at].textContent}" and "${texts[at + 1 + later].textContent}" overlap`);
        }
    }));
    if (svg.querySelectorAll("path, polyline, circle, rect, image, line").length < 3) said.push(`${name}: nothing is drawn`);
    if (svg.outerHTML.includes("NaN")) said.push(`${name}: a number is none`);
    return said;
})"""

POSE = """() => [...document.querySelectorAll(".stage *")]
    .map((element) => (element.getAttribute("transform") || "") + (element.getAttribute("d") || "")).join("|")"""


def look(visit):
    """Checks the figures and the films of a page."""
    for text in visit.evaluate(FIGURES):
        visit.fail(text)
    count = visit.evaluate("document.querySelectorAll('iframe.film').length")
    frames = visit.page.frames[1:]
    visit.check(len(frames) == count, f"{count} films are there")
    for number, frame in enumerate(frames):
        before = frame.evaluate(POSE)
        visit.page.wait_for_timeout(700)
        visit.check(before != "" and frame.evaluate(POSE) != before, f"film {number + 1} moves")
        wide = frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        visit.check(wide <= 0, f"film {number + 1} is not wider than its frame")
