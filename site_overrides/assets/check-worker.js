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
  const { loadPyodide } = await import(HERE + "pyodide.mjs");
  const code = URL.createObjectURL(new Blob([fetched["pyodide.asm.mjs"]], { type: "text/javascript" }));
  // Pyodide fetches two files by URL; return the copies fetched above.
  self.fetch = async (address) => {
    const name = String(address.url ?? address).slice(HERE.length), type = name.endsWith(".wasm") ? "application/wasm" : "application/zip";
    return new Response(fetched[name], { headers: { "Content-Type": type } });
  };
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
}

// A message without a question only starts Python. Questions are answered in order. After a failure, the page ends this worker.
onmessage = async ({ data: { files, question } }) => {
  try {
    const answer = await (started ??= start(files));
    postMessage({ ready: true });
    if (question) postMessage({ answer: JSON.parse(answer(JSON.stringify(question))) });
  } catch (error) {
    postMessage({ failed: error.message });
  }
};
