"""A widget's script alone on a blank page, with the browser's half of a real Python widget.

The page has a model of anywidget's shape; what the script sends is given to the Python widget, and
what that sends is given to the script: no server, no kernel, no notebook.
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
  const listeners = [];
  window.unanswered ??= 0;
  window.widgets ??= [];
  window.widget = window.widgets[number] = {
    module,
    views: [],
    model: {
      get: (name) => state[name],
      set: (name, value) => { state[name] = value; },
      save_changes: () => {},
      on: (event, listener) => listeners.push([event, listener]),
      off: (event, listener) => {
        const at = listeners.findIndex(([e, l]) => e === event && l === listener);
        if (at >= 0) listeners.splice(at, 1);
      },
      send: (content) => {
        window.unanswered += 1;
        window.fromScript([number, content]).finally(() => { window.unanswered -= 1; });
      },
    },
    deliver: (content) => {
      for (const [event, listener] of [...listeners]) {
        if (event === "msg:custom") listener(content, []);
      }
    },
    change: (name, value) => {
      state[name] = value;
      for (const [event, listener] of [...listeners]) {
        if (event === "change:" + name) listener();
      }
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


# The numbers on a board, as they are seen; those of a duel's second player are negative.
DRAWN = """(table) => [...table.rows].map((row) => [...row.cells].map((cell) =>
  Number(cell.querySelector("[data-value]:not(.c2048-ghost)")?.dataset.value ?? 0)))"""
INSERT = "html => document.querySelector('main').insertAdjacentHTML('afterbegin', html)"


class BlankPage:
    """A page that holds nothing but the views of a widget, or of several below each other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.widgets: list[Any] = []
        self.sent: list[Any] = []
        self.is_deaf = False
        page.expose_function("fromScript", self._from_script)

    @property
    def widget(self) -> Any:
        """The widget that is shown; of several the last."""
        return self.widgets[-1]

    def clear(self) -> None:
        """Leaves nothing behind of what was shown before."""
        self.widgets, self.sent, self.is_deaf = [], [], False
        self.page.emulate_media(reduced_motion="null", forced_colors="null")
        self.page.goto("about:blank")

    def remember(self) -> None:
        """Gives the page an address, and with it a storage; without one the browser forgets."""
        address = "http://localhost/a-blank-page"
        self.page.route(address, lambda route: route.fulfill(body=HOST, content_type="text/html"))
        self.page.goto(address)
        self.page.evaluate("() => localStorage.clear()")

    def show(self, *widgets: Any, views: int = 1, dark: bool = False, width: int = 900) -> None:
        """Shows Python widgets, each in so many views, below each other."""
        self.show_html("", dark=dark, width=width)
        self.sent = []
        for number, widget in enumerate(widgets):
            self._add(widget, number)
            for _ in range(views):
                self.add_view()

    def show_html(self, html: str, *, dark: bool = False, width: int = 900) -> None:
        """Shows what needs no script."""
        self.page.set_content(HOST.replace("</main>", f"{html}</main>"))
        self.widgets = []
        self.dress(dark=dark, width=width)

    def dress(self, *, dark: bool = False, width: int = 900) -> None:
        """Gives the page the colours of a theme, and what is on it so much room."""
        self.page.evaluate(DRESS, [THEME[dark], str(not dark).lower(), width])

    def add_view(self) -> None:
        """Shows the same widget once more, below."""
        self.page.evaluate(VIEW)

    def _add(self, widget: Any, number: int) -> None:
        self.widgets.append(widget)
        widget.send = lambda content, buffers=None: self.deliver(content, number=number)
        state = {name: widget.get_state()[name] for name in widget.get_state() if name[0] != "_"}
        self.page.add_style_tag(content=str(widget._css))
        plain = json.loads(json.dumps(state, default=str))
        self.page.evaluate(MODEL, [str(widget._esm), plain, number])

    def play(self, *, views: int = 1, dark: bool = False, width: int = 900, **options: Any) -> Page:
        """Shows a board with the focus, by default always the same one; returns the page."""
        made = play(**{"board": START, "seed": 1} | options)
        self.show(made, views=views, dark=dark, width=width)
        self.focus()
        return self.page

    def insert(self, html: str) -> None:
        """Puts HTML before the views."""
        self.page.evaluate(INSERT, html)

    def focus(self, view: int = 0) -> None:
        """Gives the focus to the board of a view."""
        self.page.locator(".c2048-field > .c2048-board").nth(view).focus()

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other, and waits until all is answered."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def click(self, *names: str, view: int = 0) -> None:
        """Clicks on buttons, one after the other, and waits until all is answered."""
        for name in names:
            self.page.get_by_role("button", name=name, exact=True).nth(view).click()
        self.settle()

    def swipe(self, start: tuple[float, float], way: tuple[float, float]) -> None:
        """Draws the pointer from a place over so many pixels."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0] + way[0], start[1] + way[1], steps=4)
        mouse.up()
        self.settle()

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of the first element of a kind, on the page."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def note(self, view: int = 0) -> str:
        """The note beside the board, whose numbers may stand together."""
        return self.page.locator(".c2048-note").nth(view).inner_text().replace("\u00a0", " ")

    def said(self) -> str:
        """The last announcement."""
        text = self.page.get_by_role("status").first.text_content() or ""
        return text.replace("\u00a0", " ").strip()

    def drawn(self, view: int = 0) -> list[list[int]]:
        """The numbers on the board of a view."""
        shown: list[list[int]] = self.page.locator(".c2048-board").nth(view).evaluate(DRAWN)
        return shown

    def until_drawn(self, board: list[list[int]] | None = None, view: int = 0) -> None:
        """Waits until all is answered, and the board that Python has (or this one) is shown."""
        self.settle()
        wanted = self.widget.board if board is None else board
        until(lambda: self.drawn(view) == wanted, "the board is drawn", 10)

    def asked(self) -> list[str]:
        """What the script has asked for, each in a word."""
        self.settle()
        words = ("direction", "what", "do")
        return [next(each[word] for word in words if word in each) for each in self.sent]

    def cut_off(self) -> None:
        """Nothing can be sent any more, as after a restart of the kernel."""
        self.page.evaluate(
            "() => { window.widget.model.send = () => { throw new Error('Cannot send'); }; }"
        )

    def settle(self) -> None:
        """Waits until Python has answered everything that the script has sent."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")
        until(lambda: not self.page.evaluate("window.unanswered || 0"), "all is answered", 10)

    def deliver(self, content: Any, *, number: int = 0) -> None:
        """Gives a script a message, as if its Python widget had sent it."""
        self.page.evaluate(
            "([number, content]) => window.widgets[number].deliver(content)", [number, content]
        )

    def _from_script(self, message: tuple[int, Any]) -> None:
        number, content = message
        self.sent.append(content)
        if not self.is_deaf:
            self.widgets[number]._handle_custom_msg(content, [])


# What JupyterLab's themes give a widget: the colours of the page and of its text.
THEME = {
    False: ":root { --jp-ui-font-color1: rgba(0, 0, 0, 0.87); --jp-layout-color0: #fff; }"
    " body { background: #fff; margin: 8px; }",
    True: ":root { --jp-ui-font-color1: rgba(255, 255, 255, 1); --jp-layout-color0: #111; }"
    " body { background: #111; margin: 8px; }",
}


def violations(page: Page, where: str = "main") -> list[str]:
    """Return the faults that axe finds below a selector; fail if it has not checked colours."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async (where) => await axe.run(where)", where)
    assert "color-contrast" in [each["id"] for each in found["passes"]]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
