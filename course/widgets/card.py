"""Cards: small tables on a ground of their own, the same in a light and in a dark notebook.

What matters is said on each element: JupyterLab's own style for tables stripes what is not.
"""

CARD = (
    "display:inline-block;padding:12px 16px;border-radius:8px;background:#faf6f0;color:#1b1b1b;"
    "font:14px system-ui,sans-serif;line-height:1.6"
)
TABLE = "margin:0;border-collapse:separate;border-spacing:4px;color:#1b1b1b"
CELL = "background:none;border:0;padding:2px 6px;font-size:14px"
LINK = "color:#0b57d0"


def row(cells: str) -> str:
    """A row of a table, without the stripe that every second one would get.

    >>> row("<td>2</td>")
    '<tr style="background:none"><td>2</td></tr>'
    """
    return f'<tr style="background:none">{cells}</tr>'
