// The snapshot's tab Preflight: files that are dropped on the field, or chosen, are its text.

import { ready } from "./ready.js";

const field = /** @type {HTMLTextAreaElement} */ (document.querySelector("#manifest"));
const chooser = /** @type {HTMLInputElement} */ (document.querySelector("[data-manifest-file]"));

/** Ask about the text as it is now. */
const ask = () => field.dispatchEvent(new Event("input", { bubbles: true }));

/** @param {FileList} files */
async function take(files) {
  const texts = await Promise.all([...files].map((file) => file.text()));
  if (!texts.length) return;
  field.value = texts.join("\n---\n");
  ask();
}

// What was typed before anybody listened.
document.addEventListener("DOMContentLoaded", () => field.value !== field.defaultValue && ask());

field.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
field.addEventListener("drop", (event) => {
  const files = event.dataTransfer?.files;
  if (!files?.length) return;
  event.preventDefault();
  take(files);
});
chooser.addEventListener("change", () => chooser.files && take(chooser.files));
ready(document, "[data-manifest-file]");
