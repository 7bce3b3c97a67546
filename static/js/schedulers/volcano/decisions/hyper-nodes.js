// A job is tried in hyper nodes, one after the other; it is taken to the best of those that will do.

import { jobName, named } from "../../../job-names.js";
import { drawOrder } from "../order-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { generic } from "../../../decisions/generic.js";
import { MARKS, hyperNodeName, notesOf } from "./words.js";

const isChosen = ({ outcome }) => outcome === "chosen";

export const hyperNodes = {
  ...generic,
  kind: "hyper_nodes",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "order", label: "Order", draw: drawOrder },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "hyper-node", label: "a job that is taken to a hyper node", onlyIfAny: true, is: isChosen },
    { key: "no-hyper-node", label: "a job that fits into no hyper node of a tier", onlyIfAny: true, is: (event) => !isChosen(event) },
  ],

  who: ({ job }) => named(job, jobName(job)),

  sentence(event) {
    const { tries, best, hyper_node: chosen } = event;
    if (!tries.length) return [strong("No hyper node comes into question"), words(" for what the job needs at least.")];
    const tried = `${plural(tries.length, "hyper node")} tried`;
    if (isChosen(event)) {
      const equal = best.length > 1 ? `, the first of ${count(best.length)} equally good` : "";
      return [words("Is taken to "), strong(hyperNodeName(chosen)), words(`${equal}: ${tried}.`)];
    }
    const most = tries.reduce((a, b) => (b.placed > a.placed ? b : a));
    const came = most.placed ? `; at most ${plural(most.placed, "pod")}, in ${hyperNodeName(most.hyper_node)}` : "";
    return [strong("Too few of its pods find nodes"), words(` in any one: ${tried}${came}.`)];
  },

  brief: (event, outcomeWord) => ({ mark: isChosen(event) ? MARKS.placed : MARKS.refused, words: outcomeWord, node: "" }),

  notes: (event, schedulers = []) => notesOf(event, schedulers, `queue ${event.queue}`),

  opening: () => "session",

  figures: (event) => ({ tone: isChosen(event) ? "other" : "wait", fits: NaN }),

  markdown: ({ tries }) =>
    tries.map(({ hyper_node: name, outcome, placed, score }) => {
      const points = score === null ? "" : `, ${score} points`;
      return `- ${hyperNodeName(name)}: ${plural(placed, "pod")} placed, ${outcome}${points}`;
    }),
};
