"""One visit of a page: on a screen, in a theme, without a network, with all that it complains about written down."""

import hashlib

from made import FOLDER

# width and height, px, and whether it is touched
SCREENS = {"phone": (360, 740, True), "desk": (1600, 1000, False), "wall": (3840, 2160, False)}
THEMES = ["light", "dark"]
# the least side of what is to be hit by a finger, px (WCAG 2.2, 2.5.8)
LEAST_TARGET = 24


class Visit:
    """A page in a window of its own."""

    def __init__(self, browser, page, screen="desk", theme="light", failures=None, reduced=False):
        self.browser, self.made, self.screen, self.theme = browser, page, screen, theme
        self.failures = failures if failures is not None else []
        self.reduced = reduced

    def __enter__(self):
        width, height, touched = SCREENS[self.screen]
        self.context = self.browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touched,
            color_scheme=self.theme,
            reduced_motion="reduce" if self.reduced else "no-preference",
            offline=True,
        )
        self.page = self.context.new_page()
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.fail(f"error in a script: {error}"))
        self.page.on("request", self.asked)
        self.page.goto(self.made.path.resolve().as_uri())
        return self

    def __exit__(self, *_):
        self.context.close()

    def heard(self, message):
        if message.type in ("error", "warning"):
            self.fail(f"the console says: {message.text}")

    def asked(self, request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.fail(f"it asks for {request.url}")

    def fail(self, text):
        self.failures.append((text, f"{self.made.name} ({self.screen}, {self.theme})"))

    def check(self, holds, text):
        if not holds:
            self.fail(f"not so: {text}")

    def evaluate(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def seek(self, part):
        """Stops the film and shows this part of it, from 0 to 1."""
        self.evaluate(
            """(part) => {
                const data = JSON.parse(document.getElementById("catena-data").textContent);
                const times = CatenaScene.floats(data.times);
                catena.play(false);
                catena.seek(times[0] + part * (times[times.length - 1] - times[0]));
            }""",
            part,
        )

    def pose(self):
        """Where everything is, in a few letters."""
        text = self.evaluate(
            """() => [...document.querySelectorAll(".stage *")]
                .map((element) => (element.getAttribute("transform") || "") + (element.getAttribute("d") || "")).join("|")"""
        )
        return hashlib.sha1(text.encode()).hexdigest()

    def check_no_overflow(self):
        wide = self.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.check(wide <= 0, f"nothing is wider than the window (it is by {wide} px)")

    def check_nothing_is_cut_off(self):
        """Everything that is drawn lies inside its picture."""
        for name, by in self.evaluate(
            """() => [...document.querySelectorAll("svg.scene")].flatMap((svg) => {
                const room = svg.getBoundingClientRect();
                return [...svg.querySelectorAll(".stage > *")].flatMap((element) => {
                    const box = element.getBoundingClientRect();
                    if (getComputedStyle(element).display === "none" || box.width + box.height === 0) return [];
                    const by = Math.max(room.left - box.left, box.right - room.right, room.top - box.top, box.bottom - room.bottom);
                    return by > 1 ? [[element.outerHTML.slice(0, 90), by]] : [];
                });
            })"""
        ):
            self.fail(f"cut off by {by:.0f} px: {name}")

    def check_targets(self):
        """What can be pressed has a name and is large enough."""
        for name, width, height in self.evaluate(
            """() => [...document.querySelectorAll("button, select, input, summary")].flatMap((element) => {
                const area = (element.closest("label") || element).getBoundingClientRect();
                return area.width ? [[element.id || element.outerHTML.slice(0, 60), area.width, area.height]] : [];
            })"""
        ):
            self.check(min(width, height) >= LEAST_TARGET, f"`{name}` can be hit")

    def picture(self, moment, whole=False):
        path = FOLDER / f"{self.made.name}-{self.screen}-{self.theme}-{moment}.png"
        self.page.screenshot(path=path, full_page=whole)
        return path
