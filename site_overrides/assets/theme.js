// The theme's access to browser storage, and the stored colour scheme, applied before the page is painted. The theme
// (Material for MkDocs, MIT) uses inline scripts for this, which the content-security policy forbids; the names are the
// theme's, as far as it uses them here. This is not a module because the theme's script, which loads later, needs these globals.
"use strict";

var __md_scope = new URL("../", document.currentScript.src);

// Damaged or inaccessible values count as missing; otherwise the page would lose its menu and search.
var __md_get = (key, kept, scope = __md_scope) => {
  try {
    const value = JSON.parse((kept ?? localStorage).getItem(`${scope.pathname}.${key}`));
    if (key !== "__palette") return value;
    const colours = Object.entries(value.color).every(([name, colour]) => /^[a-z]+$/.test(name) && typeof colour === "string");
    return Number.isInteger(value.index) && colours ? value : null;
  } catch {
    return null;
  }
};

var __md_set = (key, value, kept, scope = __md_scope) => {
  try {
    (kept ?? localStorage).setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {} // the browser may not allow storage
};

for (const [name, value] of Object.entries(__md_get("__palette")?.color ?? {})) document.body.setAttribute(`data-md-color-${name}`, value);

// The theme opens every fold for print. The style sheet hides the notes of a law, except those that the reader opened.
addEventListener("click", ({ target }) => {
  target.closest(".belongs > summary")?.parentElement.toggleAttribute("data-read");
  if (target.matches("[data-does=print]")) print();
});
