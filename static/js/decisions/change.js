// Something comes, changes or goes: as an edit says for an instant, or as a grace period or a duration is over.

import { named, objectName } from "../job-names.js";
import { node, pod as podPhrase, strong, words } from "../debugger/words/phrases.js";
import { NODES, PODS } from "../effects.js";
import { generic } from "./generic.js";
import { wokenWords } from "./queue-words.js";

const SAID = {
  added: "Comes into the cluster",
  updated: "Is changed",
  deleted: "Is deleted",
  finished: "Has done its work and ends",
  failed: "Has failed and ends",
  gone: "Is gone",
  asked: "Its eviction is requested",
  nothing: "Isn't there, so nothing happens",
  refused: "Is refused by a quota",
  stopped: "Is lost: its kubelet says and does nothing any more",
  started: "Comes back: its kubelet speaks again",
};
/** What it is called as the cause of something else. */
const AS_CAUSE = {
  added: "the arrival of ",
  updated: "a change of ",
  deleted: "the deletion of ",
  refused: "the refusal of ",
  finished: "the end of ",
  failed: "the failure of ",
  gone: "the deletion of ",
  stopped: "the loss of ",
  started: "the return of ",
};
const NODE = "Node ";

export const change = {
  ...generic,
  kind: "change",
  stops: [{ key: "change", label: "a change of the cluster", onlyIfAny: true, is: () => true, index: { kind: "change" } }],

  who: (event) => (event.pod ? generic.who(event) : named(event.object, objectName(event.object))),

  sentence: (event) => [
    strong(saidOf(event)),
    ...leftFrom(event),
    words(event.message ? `: ${event.message}.` : event.edit === null ? "." : ", as the edits say."),
    ...wokenWords(event),
  ],

  /** A pod that is gone without having been deleted has come to its end. */
  asCause(event) {
    const { object, outcome, cause } = event;
    const said = outcome === "gone" && cause === null ? AS_CAUSE.finished : (AS_CAUSE[outcome] ?? "the request about ");
    return [words(said), objectPhrase(event, object)];
  },

  notes: (event) => [...(event.edit === null ? [] : [`edit ${event.edit + 1}`]), ...generic.notes(event)],

  /** A node that changes or is drained; those that come or go, and pods that are gone, are marked by what changed. */
  mark(event, marks, at) {
    const written = event.changes.find(({ verb, table }) => verb === "set" && table === NODES)?.id;
    const on = written ?? (isDrain(event) ? event.object.slice(NODE.length) : undefined);
    if (on !== undefined) Object.assign(marks, { chosen: at.node(on), tone: "ink" });
  },
};

function objectPhrase({ pod }, object) {
  if (pod) return podPhrase(pod);
  return object.startsWith(NODE) ? node(object.slice(NODE.length)) : strong(object);
}

function saidOf(event) {
  if (isDrain(event)) return "Is drained: the eviction of its pods is requested";
  return SAID[event.outcome] ?? event.outcome;
}

function isDrain({ object, outcome }) {
  return outcome === "asked" && object.startsWith(NODE);
}

/** Which node a pod that is gone was on. */
function leftFrom({ changes }) {
  const on = changes.find(({ verb, table }) => verb === "vanish" && table === PODS)?.row.node;
  return on ? [words(" from "), node(on)] : [];
}
