// Run pytest in Pyodide under Node: node pyodide.mjs CORE LIBRARIES PROJECT ARGUMENTS...
import { pathToFileURL } from "node:url";

const [core, libraries, project, ...given] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${core}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: core });
await python.loadPackage(["numpy", "scipy", "sympy"], { messageCallback: () => {} });
for (const [here, root] of Object.entries({ "/libraries": libraries, "/project": project })) {
  python.FS.mkdirTree(here);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, here);
}
python.globals.set("given", python.toPy(given));
process.exitCode = python.runPython(`
import os, sys

sys.dont_write_bytecode = True
sys.path[:0] = ["/project", "/libraries"]
os.chdir("/project")
import pytest

int(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", *given]))
`);
