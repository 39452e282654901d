// compile.mjs: runs compiled.py in Pyodide. Its arguments are the folder of Pyodide, the folder of
// the archives to be compiled, and the path of compiled.py.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, folder, source] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide });
python.mountNodeFS("/archives", folder);
python.runPython(readFileSync(source, "utf8"));
python.runPython("compile_each(Path('/archives'))");
