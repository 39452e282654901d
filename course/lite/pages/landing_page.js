// landing_page.js: the landing page: a board to play at once, and the progress in each lesson.

import board from "./board.js";
import { Match } from "./game_without_python.js";
import { closeElsewhere } from "./single_tab.js";
import { keep, results, trouble } from "./storage.js";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.body.setAttribute("data-jp-theme-light", String(!dark.matches));
dark.addEventListener("change", follow);
follow();

board.render({ model: new Match(), el: document.getElementById("board") });

// Shows beside each lesson how many of its checks hold. The link to go on leads to the first lesson
// that is not done.
async function tell() {
  const every = await results();
  let next = null;
  for (const entry of document.querySelectorAll(".lesson")) {
    const checks = JSON.parse(entry.dataset.checks);
    const holds = new Set(every[entry.id]?.holds ?? []);
    const count = checks.filter((check) => holds.has(check)).length;
    const isDone = count === checks.length;
    entry.classList.toggle("done", isDone);
    const said = isDone ? "✓ all ideas hold" : `${count} of ${checks.length} ideas hold`;
    entry.querySelector(".holds").textContent = count ? said : "";
    if (!isDone && !entry.dataset.extra) next ??= entry;
  }
  const start = document.getElementById("start");
  const goal = next ?? document.querySelector(".lesson");
  start.href = goal.querySelector("a").href;
  const title = goal.querySelector("a").textContent.trim();
  const isNew = Object.keys(every).length === 0;
  start.textContent = isNew ? "Start with lesson 0" : next ? `Go on: ${title}` : "All done. Again?";
  if (!isNew) keep();
}

async function warn() {
  const said = await trouble();
  const place = document.getElementById("trouble");
  place.textContent = said;
  place.hidden = !said;
}

// Says if the lesson that somebody came for is open in another tab; a button moves it here.
function tellElsewhere() {
  const path = new URLSearchParams(location.search).get("open");
  const entry = path && document.getElementById(path.split("/")[0]);
  if (!entry) return;
  const link = entry.querySelector("a");
  const place = document.getElementById("elsewhere");
  place.querySelector("strong").textContent = link.textContent.trim();
  place.hidden = false;
  place.querySelector("button").addEventListener("click", async () => {
    await closeElsewhere(path);
    location.replace(link.href);
  });
}

// Starts the service worker. A new version takes over on this page, because nothing is lost if this
// page is loaded again.
async function work() {
  const worker = navigator.serviceWorker;
  if (!worker) return;
  const isNew = !worker.controller;
  worker.addEventListener("controllerchange", () => isNew || location.reload());
  const known = await worker.register("service-worker.js?enableCache=false");
  const ask = () => known.waiting?.postMessage("take over");
  ask();
  known.addEventListener("updatefound", () =>
    known.installing?.addEventListener("statechange", ask),
  );
}

tell();
warn();
tellElsewhere();
work();
// Somebody may come back from a lesson to a page that the browser has kept in its memory: then the
// progress is shown anew.
window.addEventListener("pageshow", (event) => event.persisted && tell());
document.addEventListener("visibilitychange", () => document.hidden || tell());
