// compile.mjs: runs compiled.py in Pyodide. Takes the folder of Pyodide, and the path of that file.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, source] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
python.mountNodeFS("/archives", folder);
python.runPython(readFileSync(source, "utf8"));
python.runPython("compile_each(Path('/archives'))");
