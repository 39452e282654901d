"""A widget's script alone on a blank page, with the browser's half of a real Python widget.

The page has a model of anywidget's shape; what the script sends is given to the Python widget, and
what that sends is given to the script: no server, no kernel, no notebook.
"""

import json
from typing import Any

from playwright.sync_api import Page

from tests.browser.notebooks import until

HOST = """
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A widget</title></head>
<body><main></main></body></html>
"""

MODEL = """
async ([esm, state]) => {
  const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const module = await import(url);
  const listeners = [];
  window.unanswered = 0;
  window.widget = {
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
        window.fromScript(content).finally(() => { window.unanswered -= 1; });
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


class BlankPage:
    """A page that holds nothing but the views of one widget at a time."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.widget: Any = None
        self.sent: list[Any] = []
        self.is_deaf = False
        page.expose_function("fromScript", self._from_script)

    def clear(self) -> None:
        """Leaves nothing behind of what was shown before."""
        self.widget, self.sent, self.is_deaf = None, [], False
        self.page.emulate_media(reduced_motion="null", forced_colors="null")
        self.page.goto("about:blank")

    def remember(self) -> None:
        """Gives the page an address, and with it a storage; without one the browser forgets."""
        address = "http://localhost/a-blank-page"
        self.page.route(address, lambda route: route.fulfill(body=HOST, content_type="text/html"))
        self.page.goto(address)
        self.page.evaluate("() => localStorage.clear()")

    def show(self, widget: Any, *, views: int = 1, dark: bool = False, width: int = 900) -> None:
        """Shows a Python widget in so many views, below each other."""
        self.widget, self.sent = widget, []
        widget.send = self.deliver
        self.page.set_content(HOST)
        self.page.evaluate(
            "([css, light, width]) => { const style = document.createElement('style');"
            " style.textContent = css; document.head.append(style);"
            " document.body.dataset.jpThemeLight = light;"
            " document.querySelector('main').style.width = width + 'px'; }",
            [THEME[dark] + str(widget._css), str(not dark).lower(), width],
        )
        state = {name: widget.get_state()[name] for name in widget.get_state() if name[0] != "_"}
        self.page.evaluate(MODEL, [str(widget._esm), json.loads(json.dumps(state, default=str))])
        for _ in range(views):
            self.add_view()

    def add_view(self) -> None:
        """Shows the same widget once more, below."""
        self.page.evaluate(VIEW)

    def cut_off(self) -> None:
        """Nothing can be sent any more, as after a restart of the kernel."""
        self.page.evaluate(
            "() => { window.widget.model.send = () => { throw new Error('Cannot send'); }; }"
        )

    def settle(self) -> None:
        """Waits until Python has answered everything that the script has sent."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")
        until(lambda: not self.page.evaluate("window.unanswered || 0"), "all is answered", 10)

    def deliver(self, content: Any, buffers: Any = None) -> None:
        """Gives the script a message, as if the Python widget had sent it."""
        self.page.evaluate("content => window.widget.deliver(content)", content)

    def _from_script(self, content: Any) -> None:
        self.sent.append(content)
        if not self.is_deaf:
            self.widget._handle_custom_msg(content, [])


# What JupyterLab's themes give a widget: the colours of the page and of its text.
THEME = {
    False: ":root { --jp-ui-font-color1: rgba(0, 0, 0, 0.87); --jp-layout-color0: #fff; }"
    " body { background: #fff; margin: 8px; }",
    True: ":root { --jp-ui-font-color1: rgba(255, 255, 255, 1); --jp-layout-color0: #111; }"
    " body { background: #111; margin: 8px; }",
}
