"""What notebooks show: words, pictures and films that keep their shape on a page of any width and colour."""

from __future__ import annotations

import html

__all__ = ["film_html", "picture_html", "table_html", "words_html"]

FILM_HEIGHT = 540
"""Of a player with two rows of buttons, pixels."""


def words_html(text: str) -> str:
    """Words in columns, which notebooks would set in a proportional font."""
    style = "font-family:var(--jp-code-font-family,monospace);font-size:var(--jp-code-font-size,0.9em);overflow-x:auto"
    return f'<pre style="{style}">{html.escape(text.strip())}</pre>'


def picture_html(svg: str) -> str:
    """A picture no wider than the page. It brings its own paper, so that it is the same on dark pages."""
    return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def film_html(page: str, title: str) -> str:
    """A page that plays in a frame of its own: films do not disturb each other or the notebook."""
    # pictures are light on every page, and so are films among them
    light = page.replace("<html ", '<html data-theme="light" ', 1)
    label, source = html.escape(title, quote=True), html.escape(light, quote=True)
    style = "border:0;width:100%;max-width:960px;color-scheme:light"
    return (
        f'<iframe title="{label}" srcdoc="{source}" height="{FILM_HEIGHT}" style="{style}"'
        ' sandbox="allow-scripts allow-downloads" loading="lazy"></iframe>'
    )


def table_html(head: list[str], rows: list[list[str]]) -> str:
    """A table of texts, which scrolls where it is wider than the page."""
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div style="overflow-x:auto">{table}</div>'
