"""Opens every page in every size and theme, tries what can be pressed, and leaves pictures and contact sheets."""

import sys

from playwright.sync_api import sync_playwright

import controls
import cost
from browser import SCREENS, THEMES, Visit
from made import FOLDER, make
from sheets import sheets
from studies import look

# parts of a film at which it is looked at
MOMENTS = [0.13, 0.5, 0.87]


def looked_at(browser, page, screen, theme, failures):
    """Visits a page and returns the pictures that were taken."""
    taken = []
    with Visit(browser, page, screen, theme, failures) as visit:
        if page.kind in ("player", "report"):
            poses = []
            for number, part in enumerate(MOMENTS):
                visit.seek(part)
                poses.append(visit.pose())
                visit.check_nothing_is_cut_off()
                taken.append(visit.picture(f"{number + 1}"))
            visit.check(len(set(poses)) == len(poses), "it moves from moment to moment")
        elif page.kind == "gallery":
            before = visit.pose()
            visit.page.wait_for_timeout(400)
            visit.check(visit.pose() != before, "the gallery moves by itself")
            taken.append(visit.picture("1", whole=True))
        elif page.kind == "study":
            look(visit)
            taken.append(visit.picture("1", whole=True))
        else:
            taken.append(visit.picture("1"))
        if page.kind != "picture":
            visit.check_no_overflow()
        if page.kind == "report":
            taken.append(visit.picture("whole", whole=True))
        if page.kind != "picture":
            visit.check_targets()
    return taken


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failures = []
    pages = make(wanted)
    for old in FOLDER.glob("*.png"):
        if wanted in old.name:
            old.unlink()
    with sync_playwright() as playwright:
        browser = controls.launch(playwright)
        taken = {}
        for page in pages:
            for theme in THEMES:
                for screen in SCREENS:
                    if screen == "wall" and page.name not in ("chain-of-40", "geared", "gallery"):
                        continue
                    taken[page.name, screen, theme] = looked_at(browser, page, screen, theme, failures)
            print(f"{page.name}: {page.path.stat().st_size / 1000:.0f} kB", flush=True)
        by_name = {page.name: page for page in pages}
        controls.try_all(browser, by_name, failures)
        if "chain-of-40" in by_name:
            cost.print_cost(browser, by_name["chain-of-40"], failures)
        for page in pages:
            if page.kind == "report":
                controls.print_to_paper(browser, page)
        browser.close()
    for sheet in sheets(taken, wanted):
        print(f"look at {sheet}")
    for text in dict.fromkeys(text for text, _ in failures):
        where = list(dict.fromkeys(place for other, place in failures if other == text))
        print(f"failed: {text}: {', '.join(where[:3])}{f' and {len(where) - 3} more' if where[3:] else ''}", file=sys.stderr)
    print(f"{len(pages)} pages, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
