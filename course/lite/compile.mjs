// compile.mjs: runs compiled.py in Pyodide. Takes the folders of Pyodide and of archives, and that file.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, folder, source] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide });
python.mountNodeFS("/archives", folder);
python.runPython(readFileSync(source, "utf8"));
python.runPython("compile_each(Path('/archives'))");
