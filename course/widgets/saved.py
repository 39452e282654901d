"""The saved output of a widget: a picture that stands in wherever the live one cannot be."""

import sys
from html import escape as esc
from typing import Any


def show(widget: Any, picture: str, caption: str, text: str = "") -> None:
    """Display a widget, and before it a picture that hides itself while the widget is live.

    A notebook opened again has no live widget: JupyterLab would only write "Error displaying
    widget" there. Hence two outputs, the picture, then the widget. Takes the picture as HTML, a
    caption as text, and a text for readers without pictures, if that is more than the caption.
    Without a notebook, nothing is displayed.
    """
    module = sys.modules.get("IPython")
    if module is None or module.get_ipython() is None:
        return
    saved = saved_html(widget.saved_id, picture, caption)
    module.display.display({"text/html": saved, "text/plain": text or caption}, raw=True)
    module.display.display(live_bundle(widget), raw=True)


def live_bundle(widget: Any) -> dict[str, Any]:
    """Return the output data that shows a widget alone, without the picture."""
    view = {"version_major": 2, "version_minor": 1, "model_id": widget.model_id}
    return {"application/vnd.jupyter.widget-view+json": view, "text/plain": repr(widget)}


def saved_html(saved_id: str, picture: str, caption: str) -> str:
    """Return the picture, with a style that hides it for the moment that a live widget needs."""
    return (
        f"<style>{STYLE}</style>"
        f'<div class="c2048-saved c2048-saved-{saved_id}">{picture}<p>{esc(caption)}</p></div>'
    )


# The live widget hides the picture with its own id by script. If its model is gone, its output is
# only a sentence: that it is loading, or, in an output with the class of a widget, that there was
# an error. Such an output is hidden.
STYLE = """
@keyframes c2048-late { from { max-height: 0; opacity: 0; } to { max-height: none; opacity: 1; } }
.c2048-saved { overflow: hidden; animation: c2048-late 1ms 1.5s both; }
.c2048-saved .c2048 { margin: 2px 0 8px; }
.jp-OutputArea-child:has(.c2048-saved)
  + .jp-OutputArea-child:has(> .jp-OutputArea-output.jupyter-widgets),
.jp-OutputArea-child:has(.c2048-saved)
  + .jp-OutputArea-child:not(:has(> .jp-OutputArea-output > *)) { display: none; }
"""
