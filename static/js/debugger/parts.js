// The page's own elements by the names that its template gives them, what it was served with, and what any part may ask of it.

export const root = document.querySelector("#debugger");

/** The element that the template calls so. */
export const part = (name) => document.querySelector(`[data-part="${name}"]`);

/** The run as REST gives it, with what only the page was served with: the snapshot's hash and age. */
export function withFacts(run) {
  const { hash, taken } = root.dataset;
  return {
    ...run,
    profile: run.scheduler.profile,
    snapshot: { name: run.snapshot_name, content_hash: hash, taken_at: taken || null },
  };
}

const SAID_FOR = 3500;
let silence;

/** Say something for a moment. */
export function announce(text) {
  const element = part("announcement");
  element.textContent = text;
  element.classList.add("shown");
  clearTimeout(silence);
  silence = setTimeout(() => element.classList.remove("shown"), SAID_FOR);
}

/** On narrow screens the inspector covers the map while there is something to inspect. */
export function openInspector() {
  root.classList.add("inspecting");
}

export function toggleInspector() {
  root.classList.toggle("inspecting");
}
