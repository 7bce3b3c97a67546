// The controller of a workload has made or deleted pods, or was refused them, or says how a Job has come out.

import { drawChanges } from "../debugger/inspector/tabs/changes-tab.js";
import { drawEvents } from "../debugger/inspector/tabs/events-tab.js";
import { drawRaw } from "../debugger/inspector/tabs/raw-tab.js";
import { list, strong, words } from "../debugger/words/phrases.js";
import { plural } from "../debugger/words/units.js";
import { named, objectName } from "../job-names.js";
import { generic } from "./generic.js";
import { wokenWords } from "./queue-words.js";

const NOUNS = { Pod: "pod", PersistentVolumeClaim: "claim" };
const REFUSED = "refused";
const ENDS = { completed: "Is complete", failed: "Has failed" };

export const workload = {
  ...generic,
  kind: "workload",
  tabs: [
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "events", label: "Events", draw: drawEvents },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "workload", label: "a workload's controller", onlyIfAny: true, is: () => true, index: { kind: "workload" } },
    {
      key: "refused-pods",
      label: "pods that the API server refuses",
      onlyIfAny: true,
      is: ({ outcome }) => outcome === REFUSED,
      index: { kind: "workload", outcome: REFUSED },
    },
  ],

  who: ({ object }) => named(object, objectName(object)),

  sentence(event) {
    const why = (event.message ?? "").replace(/\.$/, "");
    const end = ENDS[event.outcome];
    if (end) return [strong(end), words(why ? `: ${why}.` : "."), ...alsoDid(event), ...wokenWords(event)];
    if (event.outcome === REFUSED)
      return [words("Its controller "), strong("makes no pod"), words(`: the API server refuses (${why}).`)];
    const rest = event.message ? words(`; the API server refuses more (${why}).`) : words(".");
    return [words("Its controller "), ...did(event), rest, ...wokenWords(event)];
  },

  asCause: ({ actor, object }) => [words(`the ${actor} for `), strong(objectName(object))],

  brief: ({ outcome }, outcomeWord) => ({ mark: outcome === REFUSED ? "▲" : "", words: outcomeWord, node: "" }),

  figures: ({ outcome }) => ({ tone: outcome === REFUSED || outcome === "failed" ? "unsched" : "other", fits: NaN }),

  messages: ({ told, actor }) =>
    told.map(({ type, reason, object, message }) => ({
      type,
      reason,
      from: actor,
      object: `${object.split(" ")[0].toLowerCase()}/${object.slice(object.lastIndexOf("/") + 1)}`,
      message,
    })),

  markdown: ({ created, updated, deleted, told }) => [
    ...[["creates", created], ["changes", updated], ["deletes", deleted]]
      .filter(([, names]) => names.length)
      .map(([verb, names]) => `- ${verb} ${names.join(", ")}`),
    ...told.map(({ reason, message }) => `- ${reason}: ${message}`),
  ],
};

function alsoDid(event) {
  const parts = did(event);
  return parts.length ? [words(" Its controller "), ...parts, words(".")] : [];
}

function did({ created, updated, deleted }) {
  return list(
    [
      ["creates", created],
      ["changes", updated],
      ["deletes", deleted],
    ]
      .filter(([, names]) => names.length)
      .map(([verb, names]) => strong(`${verb} ${counted(names)}`)),
  );
}

/** "3 pods and 1 claim", or the one object by its name. */
function counted(names) {
  if (names.length === 1) return objectName(names[0]);
  const kinds = new Map();
  for (const name of names) {
    const kind = name.slice(0, name.indexOf(" "));
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].map(([kind, number]) => plural(number, NOUNS[kind] ?? kind)).join(" and ");
}
