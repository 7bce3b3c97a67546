// The queue has pods tried again whose back-off is over, or that have waited for too long.

import { list, strong, words } from "../debugger/words/phrases.js";
import { plural } from "../debugger/words/units.js";
import { generic } from "./generic.js";

const BACKOFF = "backoff";

export const flush = {
  ...generic,
  kind: "flush",
  wakes: false,
  stops: [{ key: "flush", label: "a flush of the queue", onlyIfAny: true, is: () => true, index: { kind: "flush" } }],

  sentence({ wakes }) {
    const patient = wakes.filter(({ source }) => source !== BACKOFF).length;
    const rested = wakes.length - patient;
    const whom = [
      rested && strong(`${plural(rested, "pod")} whose back-off is over`),
      patient && strong(`${plural(patient, "pod")} that waited for too long`),
    ];
    return [words("Has "), ...list(whom.filter(Boolean)), words(" tried again.")];
  },
};
