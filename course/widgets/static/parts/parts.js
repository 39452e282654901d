// parts.js: the small things that every widget of the course is made of.

const PATIENCE = 2000; // milliseconds until an answer of Python is late

// Returns a new element with all of `inside` that is not empty; text is always text, never HTML.
export function make(kind, className = "", attributes = {}, ...inside) {
  const node = document.createElement(kind);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside.filter(Boolean));
  return node;
}

// Returns an element with a sentence. The parts of the sentence between backticks become code.
export function withCode(kind, sentence, className = "") {
  const parts = sentence.split("`");
  const inside = parts.map((part, index) => (index % 2 ? make("code", "", {}, part) : part));
  return make(kind, className, {}, ...inside);
}

// JupyterLab and Notebook take keys before a widget gets them, unless the element that has the
// focus has this attribute itself.
export const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

// Returns a button; `label` is its name for screen readers, if that is not its text.
export function button(text, press, label = "", className = "") {
  const made = make("button", `c2048-button ${className}`, { type: "button", ...OWN_KEYS }, text);
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", press);
  return made;
}

// Returns a sentence in which the numbers of a line of tiles stay together if the text is wrapped.
export function together(sentence) {
  return sentence.replace(/(\d) (?=\d)/g, "$1\u00a0");
}

export function wantsNoMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Returns what the browser remembers by a key; `null` for nothing, or if storage is forbidden.
export function remembered(key) {
  try {
    return window.localStorage.getItem(`course-2048-${key}`);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    window.localStorage.setItem(`course-2048-${key}`, String(value));
  } catch {
    // The browser may forbid storage; nothing depends on it.
  }
}

// A view: a widget as it is drawn on the page. A method `key(event)` of a subclass returns true
// if the widget has used the key. A method `hear(message, isMine)` gets each message of Python.
export class View {
  constructor(model, el, className, attributes = {}) {
    this.model = model;
    this.name = `c2048-view-${Math.random().toString(36).slice(2)}`; // no other view has it
    this.root = make("div", `c2048 ${className}`, attributes);
    this.root.addEventListener("keydown", saveOutside, { capture: true });
    this.root.addEventListener("keydown", (event) => this.take(event));
    this.ends = [hideSaved(model), () => this.rest()];
    this.on("msg:custom", (message) => {
      const isMine = message.view === this.name; // it answers this view, which waits no longer
      if (isMine) this.rest();
      this.hear?.(message, isMine);
    });
    el.replaceChildren(this.root);
  }

  // A key that is not the widget's own goes on to the notebook. Escape and Shift + Enter go to the
  // next cell.
  take(event) {
    const isShiftEnter = event.key === "Enter" && event.shiftKey;
    const isUsed = isShiftEnter || this.key?.(event);
    if (isUsed) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (isShiftEnter || (event.key === "Escape" && !isUsed)) nextCell(this.root)?.focus();
  }

  // Lets a screen reader say a text, even if it is the text that was said last.
  say(text) {
    this.status.textContent = this.status.textContent === text ? `${text}\u00a0` : text;
  }

  // Sends a message to Python. Calls `unanswered(isLate)` if no answer comes in time, or none can.
  send(content) {
    this.rest();
    this.patience = setTimeout(() => this.unanswered(true), PATIENCE);
    try {
      this.model.send({ ...content, view: this.name });
    } catch {
      this.rest();
      this.unanswered(false);
    }
  }

  // Stops waiting for an answer.
  rest() {
    clearTimeout(this.patience);
    this.patience = null;
  }

  // Calls `heard` at each event of this kind of the model, for as long as the view is there.
  on(event, heard) {
    this.model.on(event, heard);
    this.ends.push(() => this.model.off(event, heard));
  }

  remove() {
    for (const end of this.ends) end();
  }
}

// Returns the object that a script must export for anywidget; its views are of the class `Kind`.
export function widget(Kind, initialize = () => {}) {
  return {
    initialize,
    render({ model, el }) {
      const view = new Kind(model, el);
      welcomeWhenNew(model, view);
      return () => view.remove();
    },
  };
}

// Calls `welcome` of a new view when it is on the page, if somebody has just run its cell. Once the
// page is loaded anew, the widget is not new any more: Python remembers this in `is_new`.
function welcomeWhenNew(model, view) {
  const { root } = view;
  if (!view.welcome || !model.get("is_new")) return;
  model.set("is_new", false);
  model.save_changes();
  // The element is put on the page some time after it is made: then it gets a size.
  const watch = new ResizeObserver(() => {
    if (!root.isConnected || !root.getClientRects().length) return;
    watch.disconnect();
    if (isJustRun(root)) view.welcome();
  });
  watch.observe(root);
  view.ends.push(() => watch.disconnect());
}

// Returns true if no other cell waits to run, and nobody types or reads elsewhere.
function isJustRun(root) {
  const cell = root.closest(".jp-Cell");
  const notebook = root.closest(".jp-Notebook");
  if (!cell || !notebook) return false;
  const isWaiting = (other) =>
    other !== cell && other.querySelector(".jp-InputPrompt")?.textContent.includes("*");
  if ([...notebook.querySelectorAll(".jp-Cell")].some(isWaiting)) return false;
  // Somebody who has run all cells, and then chose another one, goes on reading there.
  const current = notebook.querySelector(".jp-Cell.jp-mod-active");
  if (current && current !== cell && current !== nextCell(root)) return false;
  const active = document.activeElement;
  if (!active || active === document.body) return true;
  // Somebody who types in a cell, or works outside of this notebook, keeps the focus.
  if (!notebook.contains(active) && !active.contains(notebook)) return false;
  return cell.contains(active) || !active.closest(".jp-Cell-inputWrapper .cm-editor, input");
}

// Returns the cell below the cell of an element; with the focus there, Shift + Enter runs it. For
// the last cell, returns this cell itself; outside of a notebook, nothing.
function nextCell(element) {
  const own = element.closest(".jp-Cell");
  const cells = [...(own?.closest(".jp-Notebook")?.querySelectorAll(".jp-Cell") ?? [])];
  const below = cells.slice(cells.indexOf(own) + 1);
  return below.find((cell) => cell.getClientRects().length) ?? own;
}

// Passes Ctrl + S on to the notebook, from the element's parent: the element itself keeps all keys.
function saveOutside(event) {
  const isSave = event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey);
  if (!isSave || event.altKey) return;
  event.stopPropagation();
  const copy = new KeyboardEvent(event.type, event);
  if (!event.currentTarget.parentElement.dispatchEvent(copy)) event.preventDefault();
}

// Hides the saved picture of a widget, even if it comes to the page later, and returns a function
// that shows it again. The picture is known by a class, because JupyterLab removes all else from
// outputs that it does not trust.
function hideSaved(model) {
  const id = model.get("saved_id");
  const rule = id && `.c2048-saved-${CSS.escape(id)} { display: none !important; }`;
  const style = make("style", "", {}, rule);
  document.head.append(style);
  return () => style.remove();
}
