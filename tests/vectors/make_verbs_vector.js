// Writes fold/verbs.json, a random log of all six verbs with rows that come back, as the engine's own vectors have
// hardly any: `node tests/vectors/make_verbs_vector.js`. Both folds are held to it as to the others.

import { writeFileSync } from "node:fs";

import { randomLog } from "../js/random-log.js";

const SEED = 11,
  DECISIONS = 60;
const NOBODY = { uid: "", namespace: "", name: "", priority: 0 };

const { base, decisions, states } = randomLog(SEED, DECISIONS);
const dressed = decisions.map((decision) => ({
  ...decision,
  kind: "eviction",
  actor: "chance",
  cause: null,
  pod: NOBODY,
  outcome: "skipped",
  node: "",
  message: null,
}));
const vector = JSON.stringify({ base, decisions: dressed, states }, null, 1);
writeFileSync(new URL("fold/verbs.json", import.meta.url), `${vector}\n`);
