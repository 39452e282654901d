// parts.js: small things every widget of the course is made of.

let viewsMade = 0;

// A new element: its kind, class, attributes and text. Text is always text, never HTML.
export function make(kind, className = "", attributes = {}, text = "") {
  const node = document.createElement(kind);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text) node.textContent = text;
  return node;
}

// A sentence in which `code` stands between backticks.
export function withCode(kind, sentence) {
  const node = make(kind);
  for (const [index, part] of sentence.split("`").entries()) {
    node.append(index % 2 ? make("code", "", {}, part) : part);
  }
  return node;
}

// JupyterLab and Notebook take keys before a widget sees them, unless the very element that has the
// focus says otherwise: they look for it from the inside out, and stop at their own selectors.
export const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

// Two keys are for the notebook: Ctrl + S goes on from outside of what keeps its keys, and Escape, where
// the widget has no use for it, goes back to the cell.
export function notebookKeys(root) {
  const handOn = (event) => {
    const isSave = event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey);
    if (!isSave || event.altKey) return;
    event.stopPropagation();
    const copy = new KeyboardEvent(event.type, event);
    if (!root.parentElement.dispatchEvent(copy)) event.preventDefault();
  };
  const leave = ({ key, defaultPrevented }) => {
    if (key === "Escape" && !defaultPrevented) root.closest(".jp-Cell")?.focus();
  };
  root.addEventListener("keydown", handOn, { capture: true });
  root.addEventListener("keydown", leave);
}

export function button(label, text, className = "") {
  const attributes = { type: "button", "aria-label": label, ...OWN_KEYS };
  return make("button", `c2048-button ${className}`, attributes, text);
}

// Ids are unique a view: several views of one board may be on a page.
export function uniqueId(name) {
  viewsMade += 1;
  return `c2048-${name}-${viewsMade}-${Math.random().toString(36).slice(2, 8)}`;
}

export function wantsNoMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// What the browser remembers; a browser that must not remember anything forgets.
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
    // Remembering is a convenience.
  }
}

// While a widget is live, the picture saved for it is out of sight, however late it comes to the
// page. It is known by its class, which is all that JupyterLab leaves to what it does not trust.
// Returns the way back.
export function hideSaved(model) {
  const id = model.get("saved_id");
  const style = make("style");
  if (id) style.textContent = `.c2048-saved-${CSS.escape(id)} { display: none !important; }`;
  document.head.append(style);
  return () => style.remove();
}

// The numbers of a line stay together when a sentence is broken.
export function together(sentence) {
  return sentence.replace(/(\d) (?=\d)/g, "$1\u00a0");
}
