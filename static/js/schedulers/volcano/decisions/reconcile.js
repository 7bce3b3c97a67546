// A controller of Volcano's has done a piece of work: it made, changed or deleted objects, or told why it didn't.

import { named, objectName } from "../../../job-names.js";
import { drawChanges } from "../../../debugger/inspector/tabs/changes-tab.js";
import { drawEvents } from "../../../debugger/inspector/tabs/events-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { list, strong, words } from "../../../debugger/words/phrases.js";
import { count, instant, plural } from "../../../debugger/words/units.js";
import { generic } from "../../../decisions/generic.js";
import { MARKS, nameInJob } from "./words.js";

const CONTROLLERS = { job: "Job controller", podgroup: "PodGroup controller", queue: "Queue controller", ttl: "Controller of finished jobs", jobflow: "JobFlow controller", jobtemplate: "JobTemplate controller", cronjob: "CronJob controller" };
const NOUNS = { Pod: "pod", PodGroup: "pod group", PersistentVolumeClaim: "claim" };
const hasNewPhase = ({ phase, phase_before: before }) => Boolean(phase) && phase !== before;

export const reconcile = {
  ...generic,
  kind: "reconcile",
  isControllers: true,
  tabs: [
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "events", label: "Events", draw: drawEvents },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "phase", label: "a new phase of a job or queue", onlyIfAny: true, is: hasNewPhase },
    { key: "reconcile", label: "a controller's work", onlyIfAny: true, is: () => true },
  ],

  who: ({ object }) => named(object, objectName(object)),

  sentence(event) {
    const { controller, action } = event;
    return [
      words(`${CONTROLLERS[controller] ?? controller}: `),
      strong(action || "looks at it"),
      words(` of ${nameOf(event.object)}`),
      ...because(event),
      ...came(event),
      words("."),
      ...newPhase(event),
    ];
  },

  asCause: ({ action, object }) => [words(`${action || "the controller's work"} of `), strong(nameOf(object))],

  brief: ({ outcome }, outcomeWord) => ({ mark: outcome === "failed" ? MARKS.refused : "", words: outcomeWord, node: "" }),

  turn: ({ object, action, created, deleted, updated }) => ({
    mark: "moved",
    title: [strong(action || "controller"), words(` of ${nameOf(object)}`)],
    details: [did({ created, deleted, updated })].filter((parts) => parts.length),
  }),

  messages: ({ told }) =>
    told.map(({ type, reason, object, message }) => ({
      type,
      reason,
      from: "vc-controller-manager",
      object: `${object.split(" ")[0].toLowerCase()}/${object.slice(object.lastIndexOf("/") + 1)}`,
      message,
    })),

  figures: ({ outcome }) => ({ tone: outcome === "failed" ? "unsched" : "other", fits: NaN }),

  markdown: ({ created, updated, deleted, told }) => [
    ...[["creates", created], ["updates", updated], ["deletes", deleted]]
      .filter(([, names]) => names.length)
      .map(([verb, names]) => `- ${verb} ${names.join(", ")}`),
    ...told.map(({ reason, message }) => `- ${reason}: ${message}`),
  ],
};

/** "Job ml/train" is called ml/train beside its controller's name. */
function nameOf(object) {
  return objectName(object).slice(object.indexOf(" ") + 1);
}

function because({ event, whose: pod, object, exit_code: code, due }) {
  if (!event) return due ? [words(", whose time has come")] : [];
  const whose = pod ? ` of ${nameInJob(pod, nameOf(object))}` : "";
  const exit = code ? ` (exit code ${count(code)})` : "";
  return [words(`, because of ${event}${whose}${exit}${due ? ", whose time has come" : ""}`)];
}

/** What came of it: objects, a delay, or why nothing did. */
function came(event) {
  const { outcome, delay, error } = event;
  if (outcome === "delayed") return [words(": to be done in "), strong(instant(delay))];
  const parts = did(event);
  const done = parts.length ? [words(": "), ...parts] : [];
  if (outcome === "requeued") return [...done, words("; it "), strong("fails"), words(` (${error}) and comes again`)];
  if (outcome === "failed") return [...done, words("; it "), strong("fails for good"), words(` (${error})`)];
  return done;
}

function did({ created = [], updated = [], deleted = [] }) {
  return list(
    [
      ["creates", created],
      ["updates", updated],
      ["deletes", deleted],
    ]
      .filter(([, names]) => names.length)
      .map(([verb, names]) => strong(`${verb} ${counted(names)}`)),
  );
}

/** "3 pods and 1 pod group" */
function counted(names) {
  const kinds = new Map();
  for (const name of names) {
    const kind = name.slice(0, name.indexOf(" "));
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].map(([kind, number]) => (number === 1 && !NOUNS[kind] ? `the ${kind}` : plural(number, NOUNS[kind] ?? kind))).join(" and ");
}

function newPhase(event) {
  if (!hasNewPhase(event)) return [];
  const { phase, phase_before: before } = event;
  return [words(before ? ` ${before} becomes ` : " It is now "), strong(phase), words(".")];
}
