"""A blank page that shows widgets without a server, a kernel or a notebook.

The page runs the JavaScript of a widget with a model like anywidget's. Messages of this script go
to the real Python widget, and messages of the Python widget go to the script.
"""

import json
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

from course import play
from tests.waiting import until

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
START = [[2, 2, 0, 4], [0, 4, 0, 4], [8, 0, 0, 8], [2, 0, 0, 0]]

HOST = """
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A widget</title></head>
<body><main></main></body></html>
"""

MODEL = """
async ([esm, state, number]) => {
  const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const module = await import(url);
  const heard = {}; // the listeners to each event
  const tell = (event, ...facts) => {
    for (const listener of [...(heard[event] ?? [])]) listener(...facts);
  };
  window.unanswered ??= 0;
  window.widgets ??= [];
  window.widget = window.widgets[number] = {
    module,
    views: [],
    model: {
      get: (name) => state[name],
      set: (name, value) => { state[name] = value; },
      save_changes: () => {},
      on: (event, listener) => (heard[event] ??= new Set()).add(listener),
      off: (event, listener) => heard[event]?.delete(listener),
      send: (content) => {
        window.unanswered += 1;
        window.fromScript([number, content]).finally(() => { window.unanswered -= 1; });
      },
    },
    deliver: (content) => tell("msg:custom", content, []),
    change: (name, value) => {
      state[name] = value;
      tell("change:" + name);
    },
  };
  await module.default.initialize?.({ model: window.widget.model });
}
"""

VIEW = """
async () => {
  const { module, model, views } = window.widget;
  const el = document.createElement("div");
  document.querySelector("main").append(el);
  views.push({ el, cleanup: await module.default.render({ model, el }) });
}
"""


DRESS = """([theme, light, width]) => {
  const style = document.querySelector("#theme") ?? document.createElement("style");
  style.id = "theme";
  style.textContent = theme;
  document.head.prepend(style);
  document.body.dataset.jpThemeLight = light;
  document.querySelector("main").style.width = `${width}px`;
}"""


# Returns the numbers that a board shows; those of a duel's second player are negative.
DRAWN = """(table) => [...table.rows].map((row) => [...row.cells].map((cell) =>
  Number(cell.querySelector("[data-value]:not(.c2048-ghost)")?.dataset.value ?? 0)))"""
INSERT = "html => document.querySelector('main').insertAdjacentHTML('afterbegin', html)"


class BlankPage:
    """A page with nothing but views of one or several widgets, one below the other.

    `sent` are the messages of their scripts; while `is_deaf` is true, Python answers none.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.widgets: list[Any] = []
        self.sent: list[Any] = []
        self.is_deaf = False
        page.expose_function("fromScript", self._from_script)

    @property
    def widget(self) -> Any:
        """The widget on the page; if there are several, the last one."""
        return self.widgets[-1]

    def clear(self) -> None:
        self.widgets, self.sent, self.is_deaf = [], [], False
        self.page.emulate_media(reduced_motion="null", forced_colors="null")
        self.page.goto("about:blank")

    def remember(self) -> None:
        """Give the page an address, so that the browser can store data for it; clear this data."""
        address = "http://localhost/a-blank-page"
        self.page.route(address, lambda route: route.fulfill(body=HOST, content_type="text/html"))
        self.page.goto(address)
        self.page.evaluate("() => localStorage.clear()")

    def show(self, *widgets: Any, views: int = 1, dark: bool = False, width: int = 900) -> None:
        """Show Python widgets, each in the given number of views, one below the other."""
        self.show_html("", dark=dark, width=width)
        self.sent = []
        for number, widget in enumerate(widgets):
            self._add(widget, number)
            for _ in range(views):
                self.add_view()

    def show_html(self, html: str, *, dark: bool = False, width: int = 900) -> None:
        """Show HTML that needs no script."""
        self.page.set_content(HOST.replace("</main>", f"{html}</main>"))
        self.widgets = []
        self.dress(dark=dark, width=width)

    def dress(self, *, dark: bool = False, width: int = 900) -> None:
        """Set the theme of the page, and the width of its content in pixels."""
        self.page.evaluate(DRESS, [THEME[dark], str(not dark).lower(), width])

    def faults_in_both_themes(self, width: int = 900) -> list[str]:
        """Return the faults that axe finds in the light and in the dark theme."""
        found = []
        for dark in (False, True):
            self.dress(dark=dark, width=width)
            found += violations(self.page)
        return found

    def add_view(self) -> None:
        """Show the last widget in one more view, below the others."""
        self.page.evaluate(VIEW)

    def _add(self, widget: Any, number: int) -> None:
        self.widgets.append(widget)
        widget.send = lambda content, buffers=None: self.deliver(content, number=number)
        state = {name: widget.get_state()[name] for name in widget.get_state() if name[0] != "_"}
        self.page.add_style_tag(content=str(widget._css))
        plain = json.loads(json.dumps(state, default=str))
        self.page.evaluate(MODEL, [str(widget._esm), plain, number])

    def play(self, *, views: int = 1, dark: bool = False, width: int = 900, **options: Any) -> Page:
        """Show a board, by default always the same one; focus it, and return the page."""
        made = play(**{"board": START, "seed": 1} | options)
        self.show(made, views=views, dark=dark, width=width)
        self.focus()
        return self.page

    def insert(self, html: str) -> None:
        self.page.evaluate(INSERT, html)

    def focus(self, view: int = 0) -> None:
        self.page.locator(".c2048-field > .c2048-board").nth(view).focus()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, and wait until Python has answered."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def click(self, *names: str, view: int = 0) -> None:
        """Click on buttons, one after the other, and wait until Python has answered."""
        for name in names:
            self.page.get_by_role("button", name=name, exact=True).nth(view).click()
        self.settle()

    def swipe(self, start: tuple[float, float], way: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0] + way[0], start[1] + way[1], steps=4)
        mouse.up()
        self.settle()

    def middle(self, selector: str) -> tuple[float, float]:
        """Return the middle of the first element that a selector finds: x and y in pixels."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def note(self, view: int = 0) -> str:
        """Return the text beside the board; its no-break spaces are replaced by plain ones."""
        return self.page.locator(".c2048-note").nth(view).inner_text().replace("\u00a0", " ")

    def said(self) -> str:
        """Return the last announcement for screen readers."""
        text = self.page.get_by_role("status").first.text_content() or ""
        return text.replace("\u00a0", " ").strip()

    def drawn(self, view: int = 0) -> list[list[int]]:
        """Return the numbers on the board of a view."""
        shown: list[list[int]] = self.page.locator(".c2048-board").nth(view).evaluate(DRAWN)
        return shown

    def until_drawn(self, board: list[list[int]] | None = None, view: int = 0) -> None:
        """Wait until Python has answered and the view shows `board`, by default the widget's."""
        self.settle()
        wanted = self.widget.board if board is None else board
        until(lambda: self.drawn(view) == wanted, "the board is drawn", 10)

    def asked(self) -> list[str]:
        """Return one word for each message that the script has sent, such as `left` or `undo`."""
        self.settle()
        words = ("direction", "what", "do")
        return [next(each[word] for word in words if word in each) for each in self.sent]

    def cut_off(self) -> None:
        """Make all further messages of the script fail, as after a restart of the kernel."""
        self.page.evaluate(
            "() => { window.widget.model.send = () => { throw new Error('Cannot send'); }; }"
        )

    def settle(self) -> None:
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")
        until(lambda: not self.page.evaluate("window.unanswered || 0"), "all is answered", 10)

    def deliver(self, content: Any, *, number: int = 0) -> None:
        """Send a message to the script of widget `number`, as if its Python widget had sent it."""
        self.page.evaluate(
            "([number, content]) => window.widgets[number].deliver(content)", [number, content]
        )

    def _from_script(self, message: tuple[int, Any]) -> None:
        number, content = message
        self.sent.append(content)
        if not self.is_deaf:
            self.widgets[number]._handle_custom_msg(content, [])


# The colours that JupyterLab's themes set, for a page that is dark (true) or light (false).
THEME = {
    False: ":root { --jp-ui-font-color1: rgba(0, 0, 0, 0.87); --jp-layout-color0: #fff; }"
    " body { background: #fff; margin: 8px; }",
    True: ":root { --jp-ui-font-color1: rgba(255, 255, 255, 1); --jp-layout-color0: #111; }"
    " body { background: #111; margin: 8px; }",
}


def violations(page: Page, where: str = "main") -> list[str]:
    """Return the faults that axe, a checker of accessibility, finds inside of the element `where`.

    Fail if axe has not checked the contrast of colours.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async (where) => await axe.run(where)", where)
    assert "color-contrast" in [each["id"] for each in found["passes"]]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
