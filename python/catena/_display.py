"""What notebooks show: words, pictures and films that keep their shape on a page of any width and colour."""

from __future__ import annotations

import html
import textwrap

__all__ = ["film_html", "picture_html", "table_html", "words_html"]

FILM_HEIGHT = 540
"""Of a player with two rows of buttons, pixels."""
FILM_STYLE = "<style>.page{padding:4px 4px 8px}svg.scene{max-height:340px}.keys{display:none}</style>"
"""Picture, what it measures and buttons fit into the frame, which has no room for the list of keys."""
MAX_LINE = 110
"""Characters of a line of words on a page of usual width."""


def words_html(text: str) -> str:
    """Words in columns, which notebooks would set in a proportional font."""
    font = "font-family:var(--jp-code-font-family,monospace);font-size:var(--jp-code-font-size,0.9em)"
    lines = "\n".join(wrapped(line) for line in text.rstrip().split("\n"))
    return f'<pre style="{font};white-space:pre;overflow-x:auto">{html.escape(lines)}</pre>'


def wrapped(line: str) -> str:
    """A sentence in several lines; rows of tables, which have gaps, stay what they are."""
    is_row = "  " in line.strip() or len(line) <= MAX_LINE
    return line if is_row else textwrap.fill(line, MAX_LINE, subsequent_indent="  ")


def picture_html(svg: str) -> str:
    """A picture no wider than the page. It brings its own paper, so that it is the same on dark pages."""
    return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def film_html(page: str, title: str) -> str:
    """A page that plays in a frame of its own: films do not disturb each other or the notebook."""
    # pictures are light on every page, and so are films among them
    light = page.replace("<html ", '<html data-theme="light" ', 1).replace("</head>", f"{FILM_STYLE}</head>", 1)
    label, source = html.escape(title, quote=True), html.escape(light, quote=True)
    style = "border:0;width:100%;max-width:960px;color-scheme:light"
    return (
        f'<iframe title="{label}" srcdoc="{source}" height="{FILM_HEIGHT}" style="{style}"'
        ' sandbox="allow-scripts allow-downloads"></iframe>'
    )


def table_html(head: list[str], rows: list[list[str]]) -> str:
    """A table of texts, which scrolls where it is wider than the page."""
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div style="overflow-x:auto">{table}</div>'
