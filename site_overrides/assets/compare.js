// The redirect from a comparison with the codes in reverse order to its page.
const { forward } = document.querySelector("[data-forward]").dataset;
location.replace(forward + location.hash);
