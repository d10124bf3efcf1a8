// The checker, in a worker of the page "Check a hand": fetches Pyodide and our own Python code once, then answers
// questions with `oddtrick.site.in_page`. It requests only files from this site's assets.
import { counted, unzipped } from "./page.js";

const HERE = new URL("python/", import.meta.url).href;
let started = null; // promise of the Python function that answers questions

// The bytes of a file, decompressed if necessary; `count` receives the number of bytes in each chunk.
async function bytes(name, count) {
  const response = await fetch(HERE + name);
  if (!response.ok) throw new Error(`${name} could not be fetched (${response.status})`);
  return (await unzipped(await new Response(response.body.pipeThrough(counted(count))).blob())).arrayBuffer();
}

async function start(sizes) {
  const total = Object.values(sizes).reduce((a, b) => a + b, 0);
  let come = 0;
  const count = (more) => { postMessage({ loaded: Math.min(come += more, total), total }); };
  const fetched = {};
  await Promise.all(Object.keys(sizes).map(async (name) => {
    if (name === "pyodide.mjs") return count(sizes[name]); // imported by URL below
    fetched[name.replace(/\.gz$/, "")] = await bytes(name, count);
  }));
  postMessage({ starting: true });
  const { loadPyodide } = await import(HERE + "pyodide.mjs");
  const code = URL.createObjectURL(new Blob([fetched["pyodide.asm.mjs"]], { type: "text/javascript" }));
  const real = self.fetch;
  const given = { "pyodide.asm.wasm": "application/wasm", "python_stdlib.zip": "application/zip" };
  // Pyodide fetches two files by URL; return the copies fetched above.
  self.fetch = (address, options) => {
    const name = String(address.url ?? address).slice(HERE.length);
    return name in given
      ? Promise.resolve(new Response(fetched[name], { headers: { "Content-Type": given[name] } }))
      : real(address, options);
  };
  try {
    const pyodide = await loadPyodide({
      indexURL: HERE,
      createPyodideModule: (await import(code)).default,
      lockFileContents: new TextDecoder().decode(fetched["pyodide-lock.json"]),
      packageBaseUrl: HERE,
    });
    pyodide.unpackArchive(fetched["oddtrick.zip"], "zip", { extractDir: "/oddtrick" });
    pyodide.runPython('import sys; sys.path.insert(0, "/oddtrick")');
    const python = pyodide.pyimport("oddtrick.site.in_page");
    python.install("/oddtrick/lawbook.json");
    return python.answer;
  } finally {
    self.fetch = real;
    URL.revokeObjectURL(code);
  }
}

// A message without an id only starts Python.
onmessage = async ({ data }) => {
  let loaded = false;
  try {
    started ??= start(data.files);
    const answer = await started;
    loaded = true;
    postMessage(data.id ? { id: data.id, answer: JSON.parse(answer(JSON.stringify(data.question))) } : { ready: true });
  } catch (error) {
    if (!loaded) started = null;
    postMessage({ id: data.id, failed: String(error.message ?? error), loaded });
  }
};
