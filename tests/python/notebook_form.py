"""Notebooks are kept in one form: without outputs, with keys in order, so that a diff shows what somebody wrote.

notebook_form.py FILE...            refuses files in another form
notebook_form.py --write FILE...    brings them into it; the names of cells stay
"""

import json
import pathlib
import sys

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def canonical(text: str) -> str:
    notebook = json.loads(text)
    notebook["metadata"] = METADATA
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell["source"] = "".join(cell["source"]).strip("\n").splitlines(keepends=True)
        if cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = None, []
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main(arguments: list[str]) -> int:
    writes = arguments[:1] == ["--write"]
    wrong = 0
    for path in map(pathlib.Path, arguments[writes:]):
        text = path.read_text()
        if writes:
            path.write_text(canonical(text))
        elif text != canonical(text):
            print(f"{path} has outputs or another form: `python tests/python/notebook_form.py --write {path}`")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
