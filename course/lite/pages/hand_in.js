// hand_in.js: the button that hands in a lesson, if the site was built with the address of a server
// (`autograder serve`). If the server cannot be reached, the notebook waits in this browser.

import { lesson } from "./single_tab.js";

const SITE = new URL("..", import.meta.url).pathname;
const TOKEN = `course-2048-token ${SITE}`;
const WAITING = `course-2048-waiting ${SITE} `; // followed by the path of the lesson
const AGAIN = 30_000; // ms until a server that could not be reached is tried again
const LATER = [500, 502, 503, 504, 507]; // statuses of a server that may work again soon
const ACCEPTED = "text/html, application/json"; // the answer is a page, a refusal is JSON

const ASK =
  "Your instructor has given you a token, which says that it is you. It is kept in this browser.";
const WAITS = "The server cannot be reached. Your notebook waits here, and is sent later.";
const BUSY =
  "It is handed in, and checked soon. Press Hand in again in a minute to read the answer.";
const NO_ROOM = "This browser is full. Choose File, then Download, and hand in that file by hand.";

export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Shows a window, and returns the value of the button that closed it, or "".
async function shown(title, ...children) {
  const heading = element("h2", { textContent: title });
  const about = { className: "window-2048", ariaLabel: title };
  const box = element("dialog", about, heading, ...children);
  document.body.append(box);
  box.showModal();
  await new Promise((resolve) => box.addEventListener("close", resolve));
  box.remove();
  return box.returnValue;
}

// Asks for the token, and returns it; "" if the learner gives none.
async function askForToken(why) {
  const about = { type: "text", required: true, autocomplete: "off", spellcheck: false };
  const input = element("input", about);
  const field = element("label", {}, "Your token ", input);
  const go = element("button", { textContent: "Hand in", value: "go" });
  const back = element("button", { textContent: "Cancel", value: "", formNoValidate: true });
  const form = element("form", { method: "dialog" }, field, element("p", {}, go, back));
  const answer = await shown("Hand in", element("p", { textContent: why }), form);
  return answer === "go" ? input.value.trim() : "";
}

// Shows a page of the server; its scripts are not run.
function showPage(title, page) {
  const frame = element("iframe", { sandbox: "", title, srcdoc: page });
  const close = element("button", { textContent: "Close" });
  return shown(title, frame, element("form", { method: "dialog" }, close));
}

// Returns a sentence on why a hand-in was refused.
function reason(answer, text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return `The server has answered ${answer.status}. Tell your instructor.`; // another program answers there
  }
}

// Puts a button and a line of text into the strip above the lesson; `server` is an address.
export function putHandInButton(strip, server) {
  const button = element("button", { type: "button", textContent: "Hand in" });
  const said = element("span", { className: "handed-in", role: "status" });
  strip.append(said, button);
  const say = (text) => (said.textContent = text);

  // Sends the waiting notebook of a lesson. Returns false if that must be tried again later.
  async function send(path) {
    const content = localStorage.getItem(WAITING + path);
    if (content === null) return true; // another tab has sent it
    const [assignment, name] = path.split("/");
    const form = new FormData();
    form.append("assignment", assignment);
    form.append("file", new File([content], name));
    const headers = { Authorization: `Bearer ${localStorage.getItem(TOKEN)}`, Accept: ACCEPTED };
    let answer, text;
    try {
      answer = await fetch(`${server}/hand-in`, { method: "POST", headers, body: form });
      text = await answer.text();
    } catch {
      return false;
    }
    if (LATER.includes(answer.status)) return false;
    // After a wrong token, the notebook still waits: the next press asks for another token.
    localStorage.removeItem(answer.status === 401 ? TOKEN : WAITING + path);
    if (answer.status === 202) say(BUSY);
    else say(answer.ok ? "" : `Not handed in. ${reason(answer, text)}`);
    if (answer.status === 200) showPage("Handed in", text);
    return true;
  }

  let again = null;

  // Sends all notebooks that wait, one after the other, in one tab at a time.
  function sendAll() {
    clearTimeout(again);
    return navigator.locks.request(WAITING, async () => {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(WAITING));
      for (const key of keys) {
        if (!localStorage.getItem(TOKEN)) return;
        if (await send(key.slice(WAITING.length))) continue;
        say(WAITS);
        again = setTimeout(sendAll, AGAIN);
        return;
      }
    });
  }

  button.addEventListener("click", async () => {
    const { path, model } = lesson();
    if (!localStorage.getItem(TOKEN)) {
      const token = await askForToken(ASK);
      if (!token) return;
      localStorage.setItem(TOKEN, token);
    }
    try {
      localStorage.setItem(WAITING + path, JSON.stringify(model.toJSON()));
    } catch {
      say(NO_ROOM);
      return;
    }
    button.disabled = true;
    say("Handing in …");
    await sendAll().finally(() => (button.disabled = false));
  });
  window.addEventListener("online", sendAll);
  sendAll();
}
