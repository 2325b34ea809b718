"""Opens every page of the book: nothing is asked of a network, nothing complains, nothing is wider than its window."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from controls import launch

BOOK = Path("target/book")
PICTURES = Path("target/browser/book")
# width and height, px
WINDOWS = {"narrow": (400, 800), "wide": (1280, 900)}
THEMES = ["light", "dark"]
# pages of which pictures are kept, by the beginning of their names
KEPT = ["index", "first-hour", "model-files", "chaos", "formulation-ggl", "integrator-rk4", "joint-gear", "element-spring",
        "analysis-modes"]

# pictures that could not be read, and what can be scrolled to at the side
PROBLEMS = """() => {
    const broken = [...document.images].filter((image) => !image.naturalWidth).map((image) => `${image.src} is no picture`);
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const column = document.querySelector("main").getBoundingClientRect().right;
    const over = [...document.querySelectorAll("main *")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.right > column + 1 && !element.closest("pre, .table, .formula");
    });
    return [...broken, ...(wide > 0 ? [`wider than its window by ${wide} px`] : []),
            ...over.slice(0, 2).map((element) => `beyond its column: ${element.outerHTML.slice(0, 90)}`)];
}"""


def visited(browser, path, window, theme, failures):
    width, height = WINDOWS[window]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, offline=True)
    page = context.new_page()

    def fail(text):
        failures.append(f"{path.name} ({window}, {theme}): {text}")

    page.on("console", lambda message: message.type in ("error", "warning") and fail(f"the console says: {message.text}"))
    page.on("pageerror", lambda error: fail(f"error in a script: {error}"))
    page.on("request", lambda request: request.url.startswith(("file:", "data:")) or fail(f"it asks for {request.url}"))
    page.goto(path.resolve().as_uri())
    for problem in page.evaluate(PROBLEMS):
        fail(problem)
    if path.stem == "index":
        page.fill(".search input", "stabilisation constraint")
        found = page.locator(".found a")
        found.first.wait_for()
        if "baumgarte" not in found.first.get_attribute("href"):
            fail(f"the search finds {found.first.inner_text()} first")
    if path.stem in KEPT:
        page.screenshot(path=PICTURES / f"{path.stem}-{window}-{theme}.png", full_page=True)
    context.close()


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    pages = sorted(BOOK.glob("*.html"))
    failures = [] if len(pages) > 60 else [f"the book has {len(pages)} pages"]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for path in pages:
            for window in WINDOWS:
                for theme in THEMES:
                    visited(browser, path, window, theme, failures)
        browser.close()
    for text in failures:
        print(f"failed: {text}", file=sys.stderr)
    print(f"{len(pages)} pages of the book, {len(failures)} failures; look at {PICTURES}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
