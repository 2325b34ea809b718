"""What executed notebooks show: pictures, formulas and films in the page itself, and nothing from a network."""

import pathlib
import re
import sys

import nbformat
from nbconvert import HTMLExporter

PICTURE, FORMULA, FILM, TABLE = "picture", "formula", "film", "table"
# nbconvert writes elements anew, with their attributes in another order
MARKS = {PICTURE: "<svg ", FORMULA: "<math ", FILM: 'srcdoc="&lt;!doctype html&gt;', TABLE: "<table"}
SHOWN = {
    "first-hour": [PICTURE, FORMULA, FILM, TABLE],
    "own-mechanism": [PICTURE, FILM, TABLE],
    "resonance-and-chaos": [PICTURE, TABLE],
    "which-formulation": [PICTURE, TABLE],
}
ADDRESS = re.compile(r"https?://[^\s\"'<>()&\\]+")
NAMESPACES = "http://www.w3.org/"
"""Names of kinds of XML, which nobody fetches."""
STDERR = 'data-mime-type="application/vnd.jupyter.stderr"'


def addresses(page: str) -> set[str]:
    return {address for address in ADDRESS.findall(page) if not address.startswith(NAMESPACES)}


def main(folder: pathlib.Path) -> int:
    template, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook())
    allowed = addresses(template)
    problems = []
    pages = {path.stem: path.read_text() for path in sorted(folder.glob("*.html"))}
    for name in sorted(SHOWN.keys() ^ pages.keys()):
        problems.append(f"{name}: a notebook and what it shows are not both there")
    for name, page in pages.items():
        missing = [mark for mark in SHOWN.get(name, []) if MARKS[mark] not in page]
        problems += [f"{name}: no {mark} is shown" for mark in missing]
        if STDERR in page:
            problems.append(f"{name}: a cell writes to standard error")
        problems += [f"{name}: asks for {address}" for address in sorted(addresses(page) - allowed)]
    for problem in problems:
        print(problem)
    if not problems:
        scripts = sorted(address for address in allowed if ".js" in address or ".mjs" in address)
        print(f"{len(pages)} notebooks were executed; nbconvert's template alone asks for {', '.join(scripts)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
