// What stands above every decision of what an answer rests on, and in a ticket.
import assert from "node:assert/strict";
import test from "node:test";

import { parted, trustPhrases } from "../../static/js/debugger/inspector/markdown.js";

const TRUST = {
  nodes_scored: "all",
  not_modelled: ["plugin tdm, which lends nodes at times of the day: answers may differ in reality", "1 JobFlow: no jobs are made of them"],
  unknown: [],
  missing: ["no Services in the import"],
  without_effect: ["plugin cdp (no action of this configuration evicts)", "plugin numa-aware (no Numatopologies)"],
};

test("each thing that could matter is a phrase of its own, and what has no effect is named last", () => {
  assert.deepEqual(trustPhrases(TRUST), [
    "all nodes scored",
    "not modelled: plugin tdm, which lends nodes at times of the day: answers may differ in reality",
    "not modelled: 1 JobFlow: no jobs are made of them",
    "no Services in the import",
    "not played, without effect here: plugin cdp, plugin numa-aware",
  ]);
});

test("that another release is played than the nodes' kubelets are of is told before all gaps", () => {
  const release = "played as 1.36; the nodes' kubelets are of 1.33";
  assert.deepEqual(trustPhrases({ ...TRUST, release }).slice(0, 2), ["all nodes scored", release]);
});

test("of many phrases the first stand there and the others unfold, one more than fits does not", () => {
  const phrases = trustPhrases(TRUST);
  assert.deepEqual(parted(phrases), { shown: phrases, rest: [] });
  assert.deepEqual(parted([...phrases, "more"]), { shown: phrases.slice(0, 4), rest: [phrases[4], "more"] });
});
