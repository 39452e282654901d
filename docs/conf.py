"""The configuration of Sphinx: its pages are those in `docs/`, and the READMEs in their folders."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from generate import write_generated  # noqa: E402

project = "course-2048"
author = "the authors of course-2048"
copyright = f"2026, {author}"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
# Pages stay where they lie: a README is written once; its links hold here and in the repository.
include_patterns = [
    "*.md",
    "docs/**.md",
    "course/**.md",
    "autograder/**.md",
    "tests/**.md",
    "source/*.md",
]
exclude_patterns = ["docs/_build", "my-course", "sample-class", "site", "**/.*"]

nitpicky = True
default_role = "literal"  # docstrings write code as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
add_module_names = False
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "2048, written by you"
html_static_path = ["static"]
html_css_files = ["diagrams.css"]
html_js_files = ["accessibility.js"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def setup(app: Sphinx) -> None:
    """Have Sphinx write the generated pages before it reads any, and an index page at the end."""
    app.connect("builder-inited", lambda _: write_generated(ROOT / "docs" / "_generated"))
    app.connect("build-finished", lead_to_the_first_page)


def lead_to_the_first_page(app: Sphinx, error: Exception | None) -> None:
    """Write an `index.html` that sends a browser on to the first page."""
    if error is None:
        leads = '<meta http-equiv="refresh" content="0; url=docs/index.html">'
        head = f"<meta charset=utf-8><title>{html_title}</title>{leads}"
        link = f'<a href="docs/index.html">{html_title}</a>'
        body = f"<body><main><h1>{link}</h1></main></body>"
        page = f"<!doctype html><html lang=en><head>{head}</head>{body}</html>\n"
        Path(app.outdir, "index.html").write_text(page, encoding="utf-8")
