// The reader's own copies of the books, stored in this browser: the printed words of the laws of each code.
const opened = () => new Promise((done, failed) => {
  const asked = indexedDB.open("oddtrick", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("copies", { keyPath: "code" });
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
});

async function store(mode, does) {
  const base = await opened();
  try {
    return await new Promise((done, failed) => {
      const change = base.transaction("copies", mode);
      const asked = does(change.objectStore("copies"));
      change.oncomplete = () => done(asked.result);
      change.onerror = change.onabort = () => failed(change.error);
    });
  } finally {
    base.close();
  }
}

export const keep = (copy) => store("readwrite", (kept) => kept.put(copy));
export const forget = (code) => store("readwrite", (kept) => kept.delete(code));
export const copies = () => store("readonly", (kept) => kept.getAll());
export const copyOf = (code) => store("readonly", (kept) => kept.get(code));

/** Whether a copy has the expected format; data stored for years may be damaged or come from an older version. */
export const sound = ({ short, said, file, laws }) =>
  [short, said, file].every((one) => typeof one === "string") && Object(laws) === laws &&
  Object.values(laws).every((words) => typeof words === "string");
