// What was tried for a job before its tries are settled. Pure.

/** The tries that a settling decision is about, oldest first, as far as the log's window has them; else none. */
export function statementOf(log, { kind, seq, action, job }) {
  const tries = [];
  for (let before = seq - 1; kind === "gang" && before > log.first; before--) {
    const event = log.event(before);
    if (event?.kind !== "placement" || event.action !== action || event.job !== job) break;
    tries.unshift(event);
  }
  return tries;
}
