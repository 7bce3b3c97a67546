// The page's own elements by the names that its template gives them, and what it was served with.

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
