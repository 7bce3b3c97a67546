// A session closes: what it did in all, and what it writes into pod groups and pods.

import { jobName } from "../../../job-names.js";
import { drawChanges } from "../../../debugger/inspector/tabs/changes-tab.js";
import { drawEvents } from "../../../debugger/inspector/tabs/events-tab.js";
import { drawJobsAtClose } from "../jobs-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { list, strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { generic } from "../../../decisions/generic.js";
import { closeMessages } from "./messages.js";
import { session } from "./session.js";
import { podsAre } from "./words.js";

export const close = {
  ...generic,
  kind: "close",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "jobs", label: "Jobs", draw: drawJobsAtClose },
    { key: "events", label: "Events", draw: drawEvents },
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "idle", label: "a session without effect", onlyIfAny: true, is: ({ outcome }) => outcome === "idle" },
    { key: "close", label: "the close of a session", onlyIfAny: true, is: () => true },
  ],

  who: session.who,

  sentence(event) {
    const { outcome, messages } = event;
    const waiting = messages.length
      ? [words(" "), strong(plural(messages.length, "pod")), words(` ${messages.length === 1 ? "is told why it waits" : "are told why they wait"}.`)]
      : [words(" No pod is told to wait.")];
    if (outcome === "idle")
      return [words("Closes "), strong("without effect"), words(": nobody was bound, evicted or let in."), ...waiting];
    return [words("Closes: "), ...list(effects(event)), words("."), ...waiting];
  },

  asCause: (event) => [words("the close of "), strong(`session ${count(event.session)}`)],

  brief: ({ outcome }, outcomeWord) => ({ mark: outcome === "idle" ? "−" : "", words: outcomeWord, node: "" }),

  notes: session.notes,

  opening: ({ outcome }) => (outcome === "idle" ? "jobs" : "session"),

  messages: closeMessages,

  markdown: ({ groups }) => groups.map(({ job, phase, message }) => `- ${jobName(job)}: ${phase}${message && `, ${message}`}`),
};

/** Who let nobody bind or go has let a job into its queue, or else it would be idle. */
function effects({ bound, evicted }) {
  const said = [bound && `${podsAre(bound)} bound`, evicted && `${podsAre(evicted)} evicted`].filter(Boolean);
  return (said.length ? said : ["a job was let into its queue"]).map(strong);
}
