// The run page's start: read the run and its first state, then let the page take over.

import { fill, h } from "./dom.js";
import { isGoing } from "./live.js";
import { Page } from "./page.js";
import { part, root, withFacts } from "./parts.js";
import { Rest } from "./rest.js";

const CONFLICT = 409;
const WAIT = 700;

async function start() {
  const rest = new Rest(root.dataset.api);
  try {
    const run = withFacts(await rest.run());
    window.sandtable = new Page(run, await firstState(rest), rest);
  } catch (problem) {
    fill(part("inspector"), h("p", { class: "notice error" }, `The run can't be shown: ${problem.message}`));
    console.error(problem);
  }
}

/** The first state, as soon as a worker has made it. */
async function firstState(rest) {
  for (;;) {
    try {
      return await rest.state(0);
    } catch (problem) {
      if (problem.status !== CONFLICT || !isGoing((await rest.run()).status)) throw problem;
      fill(part("inspector"), h("p", { class: "muted" }, "Waiting for a worker to begin the run…"));
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  }
}

start();
