// storage.js: reads the results that the notebooks have stored in this browser, and finds out if
// the browser can store anything.

const RESULTS = "my_2048_results.json";

function asked(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

// Returns the content of a JSON file, which the notebooks store in one of three forms.
function contentOf({ format, content }) {
  if (typeof content !== "string") return content;
  return JSON.parse(format === "base64" ? atob(content) : content);
}

// Returns what `ask` gives, or `other` if the browser forbids to ask.
async function tried(ask, other) {
  try {
    return await ask();
  } catch {
    return other;
  }
}

// Returns the results of all lessons by their ids, as course/mine/passed_checks.py writes them;
// `{}` if there are none.
export function results() {
  return tried(async () => {
    const name = `JupyterLite Storage - ${new URL(".", document.baseURI).pathname}`;
    const known = await indexedDB.databases();
    if (!known.some((database) => database.name === name)) return {};
    const database = await asked(indexedDB.open(name));
    const files = database.transaction("files").objectStore("files");
    const file = await asked(files.get(RESULTS)).finally(() => database.close());
    return file ? contentOf(file) : {};
  }, {});
}

const TRIED = "course-2048-tried";
const ENOUGH = 5e6; // bytes; a lesson with its boards is far smaller

async function keepsSomething() {
  const database = await asked(indexedDB.open(TRIED));
  database.close(); // an open database cannot be deleted
  await asked(indexedDB.deleteDatabase(TRIED));
  return true;
}

// Returns a sentence on why work would be lost; "" if this browser can keep it.
export async function trouble() {
  if (!(await tried(keepsSomething, false))) {
    // Without a `localStorage`, JupyterLab does not start.
    if (!(await tried(() => window.localStorage, null)))
      return "This browser forbids all storage, and lessons cannot open. Allow this site to keep data, or take another browser.";
    return "This browser keeps nothing. It may be a private window, or its settings may forbid it. You can learn and play, but download each notebook before you close it.";
  }
  const { quota, usage } = (await tried(() => navigator.storage.estimate(), {})) ?? {};
  if (quota - usage < ENOUGH)
    return "The storage of this browser is full. Make room, or download each notebook before you close it.";
  return "";
}

// Asks the browser not to delete the work when it needs room.
export function keep() {
  return tried(() => navigator.storage.persist(), false);
}
