"""Everything that can be pressed, dragged or typed, tried once."""

import os

from axe_playwright_python.sync_playwright import Axe

from browser import Visit
from made import FOLDER

# what a page must not have, by the rules of axe-core
SERIOUS = ("serious", "critical")


def launch(playwright):
    return playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--force-color-profile=srgb"])


def try_all(browser, pages, failures):
    for name in ("double-wishbone", "geared", "chain-of-40"):
        for screen in ("desk", "phone"):
            if name in pages:
                try_player(browser, pages[name], screen, failures)
    for name in ("double-wishbone", "compare", "kinematics", "modes", "gallery", "report-double-wishbone"):
        if name in pages:
            for theme in ("light", "dark"):
                ask_axe(browser, pages[name], theme, failures)
            respects_reduced_motion(browser, pages[name], failures)
    if "gallery" in pages:
        try_gallery(browser, pages["gallery"], failures)


def frame(visit):
    return visit.evaluate("catena.state.frame")


def try_player(browser, page, screen, failures):
    with Visit(browser, page, screen, "light", failures) as visit:
        plays_by_itself(visit)
        buttons(visit)
        keys(visit)
        boxes(visit)
        zoom(visit)
        plots(visit)
        theme(visit)


def plays_by_itself(visit):
    visit.check(visit.evaluate("catena.state.playing"), "it plays when it is opened")
    before = frame(visit)
    visit.page.wait_for_timeout(300)
    visit.check(frame(visit) != before, "its frame changes while it plays")


def buttons(visit):
    page = visit.page
    page.get_by_role("button", name="Pause").click()
    visit.check(not visit.evaluate("catena.state.playing"), "the button pauses it")
    visit.check(page.locator("#said").inner_text().startswith("Paused at"), "a pause is said")
    visit.seek(0.4)
    at = round(frame(visit))
    page.get_by_role("button", name="One frame on").click()
    visit.check(frame(visit) == at + 1, f"one frame on leads from {at} to {frame(visit)}")
    page.get_by_role("button", name="One frame back").click()
    visit.check(frame(visit) == at, "and one back to where it was")
    pose = visit.pose()
    page.get_by_role("slider", name="Time").evaluate(
        "(slider) => { slider.value = slider.max * 0.7; slider.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    visit.check(visit.pose() != pose, "the slider moves the mechanism")
    visit.check(abs(frame(visit) - 0.7 * visit.evaluate("catena.frames - 1")) < 1, "to where the slider is")
    shown = page.locator("#time").inner_text()
    visit.check(shown.endswith("s") and shown[:1].isdigit(), f"the time has its unit: {shown}")
    page.get_by_role("combobox", name="Speed").select_option("0.1")
    visit.check(visit.evaluate("catena.state.speed") == 0.1, "the speed is what was chosen")
    page.get_by_role("button", name="Play").click()
    visit.check(visit.evaluate("catena.state.playing"), "the button plays it again")
    page.get_by_role("button", name="Pause").click()


def keys(visit):
    page = visit.page
    visit.evaluate("document.activeElement.blur()")
    visit.seek(0.3)
    at = frame(visit)
    page.keyboard.press("Space")
    visit.check(visit.evaluate("catena.state.playing"), "the space bar plays")
    page.keyboard.press("k")
    visit.check(not visit.evaluate("catena.state.playing"), "k pauses")
    page.keyboard.press("Shift+ArrowRight")
    visit.check(frame(visit) >= round(at) + 10, "shift and → lead ten frames on")
    page.keyboard.press("Home")
    visit.check(frame(visit) == 0, "Home leads to the start")
    page.keyboard.press("ArrowLeft")
    visit.check(frame(visit) == 0, "nothing is before the start")
    page.keyboard.press("End")
    visit.check(frame(visit) == visit.evaluate("catena.frames - 1"), "End leads to the end")
    speed = visit.evaluate("catena.state.speed")
    page.keyboard.press(".")
    visit.check(visit.evaluate("catena.state.speed") == 2 * speed, ". doubles the speed")
    visit.check(page.locator("#speed").input_value() == str(visit.evaluate("catena.state.speed")), "and the menu shows it")
    page.keyboard.press(",")
    # without a loop it ends at its end
    if page.locator("#loop").is_checked():
        page.keyboard.press("l")
    visit.evaluate("catena.seek(1e9)")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("combobox", name="Speed").select_option("10")
    visit.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    page.wait_for_timeout(400)
    visit.check(not visit.evaluate("catena.state.playing"), "without a loop it stops at its end")
    visit.check(frame(visit) == visit.evaluate("catena.frames - 1"), "and stays there")
    page.keyboard.press("l")
    visit.seek(0.5)


def boxes(visit):
    page = visit.page
    hidden = {
        "trails": ".scene .trail",
        "forces": ".scene .arrow:not(.applied)",
        "names": ".scene .name",
        "centres": ".scene .centre-mark",
    }
    for name, what in hidden.items():
        box = page.locator(f"#{name}")
        if box.count() == 0:
            continue
        for _ in range(2):
            box.click()
            shown = visit.evaluate(
                "(what) => getComputedStyle(document.querySelector(what)).display !== 'none'", what
            )
            visit.check(shown == box.is_checked(), f"the box `{name}` says what is seen")
    if page.locator("#forces").count():
        page.locator("#forces").check()
        drawn = visit.evaluate("[...document.querySelectorAll('.stage .arrow')].filter((arrow) => arrow.getAttribute('d')).length")
        visit.check(drawn > 0, "forces are drawn when they are asked for")
        visit.picture("forces")
    for name in ("names", "centres"):
        if page.locator(f"#{name}").count():
            page.locator(f"#{name}").check()
    visit.picture("everything")


def zoom(visit):
    page = visit.page
    whole = page.locator("svg.scene").first.get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    near = page.locator("svg.scene").first.get_attribute("viewBox")
    visit.check(near != whole, "zooming in changes the view")
    box = page.locator("svg.scene").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 20, steps=3)
    page.mouse.up()
    moved = page.locator("svg.scene").first.get_attribute("viewBox")
    visit.check(moved != near, "dragging moves the view")
    page.get_by_role("button", name="Show everything").click()
    visit.check(shows_everything(page, whole), "fit shows everything again")
    page.keyboard.press("+")
    visit.check(not shows_everything(page, whole), "+ zooms in")
    page.keyboard.press("0")
    visit.check(shows_everything(page, whole), "0 shows everything again")


def shows_everything(page, whole):
    now = page.locator("svg.scene").first.get_attribute("viewBox")
    return all(abs(float(a) - float(b)) < 0.1 for a, b in zip(now.split(), whole.split(), strict=True))


def plots(visit):
    page = visit.page
    if page.locator("#plots .catena-stage").count() == 0:
        return
    cursor = "getComputedStyle(document.querySelector('.catena-cursor')).transform"
    visit.seek(0.2)
    first = visit.evaluate(cursor)
    visit.seek(0.8)
    visit.check(visit.evaluate(cursor) != first, "the cursor of the plots follows the film")
    stage = page.locator("#plots .catena-stage").first
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    pose = visit.pose()
    page.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 0.4 * box["height"])
    visit.check(visit.pose() != pose, "a click in a plot moves the film")
    visit.check(not visit.evaluate("catena.state.playing"), "and holds it there")


def theme(visit):
    page = visit.page
    ground = "getComputedStyle(document.body).backgroundColor"
    pixels = """() => {
        const canvas = document.querySelector(".catena-stage canvas");
        if (!canvas) return null;
        return canvas.toDataURL().length + canvas.toDataURL().slice(-3000);
    }"""
    before, drawn = visit.evaluate(ground), visit.evaluate(pixels)
    page.get_by_role("button", name="Light or dark").click()
    page.wait_for_timeout(100)
    visit.check(visit.evaluate(ground) != before, "the theme can be changed")
    if drawn is not None:
        visit.check(visit.evaluate(pixels) != drawn, "the plots take the other theme, too")
    visit.picture("other-theme")


def respects_reduced_motion(browser, page, failures):
    with Visit(browser, page, "desk", "light", failures, reduced=True) as visit:
        before = visit.pose()
        visit.page.wait_for_timeout(300)
        visit.check(visit.pose() == before, "with reduced motion it waits until it is told to play")
        visit.page.get_by_role("button", name="Play").click()
        visit.page.wait_for_timeout(300)
        visit.check(visit.pose() != before, "and then plays")


def try_gallery(browser, page, failures):
    with Visit(browser, page, "desk", "light", failures) as visit:
        visit.page.get_by_role("button", name="Pause").click()
        before = visit.pose()
        visit.page.wait_for_timeout(200)
        visit.check(visit.pose() == before, "the gallery can be paused")
        visit.evaluate("document.activeElement.blur()")
        visit.page.keyboard.press("Space")
        visit.page.wait_for_timeout(300)
        visit.check(visit.pose() != before, "and goes on with the space bar")
        lower = visit.evaluate("catenaGallery.clips.map((clip) => clip.seen)")
        visit.check(True in lower and False in lower, "films out of sight stand still")


def ask_axe(browser, page, theme, failures):
    with Visit(browser, page, "desk", theme, failures) as visit:
        for violation in Axe().run(visit.page).response["violations"]:
            if violation["impact"] in SERIOUS:
                where = violation["nodes"][0]["html"][:90]
                visit.fail(f"axe: {violation['help']} ({len(violation['nodes'])} times): {where}")


def print_to_paper(browser, page):
    """The page as a browser prints it."""
    with Visit(browser, page, "desk", "light") as visit:
        visit.page.pdf(path=FOLDER / f"{page.name}.pdf", format="A4", margin={"top": "15mm", "bottom": "15mm", "left": "15mm", "right": "15mm"}, print_background=True)
