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
    say(problem instanceof NeverBegan ? neverBegan(problem) : `The run can't be shown: ${problem.message}`);
    if (!(problem instanceof NeverBegan)) console.error(problem);
  }
}

/** The run has ended and has no first state: it failed, or was cancelled, before its first decision. */
class NeverBegan extends Error {
  constructor(status, why) {
    super(why);
    this.status = status;
  }
}

function neverBegan({ status, message }) {
  Object.assign(part("live"), { className: `live-state ${status}`, textContent: status });
  return [message, " ", h("a", { href: root.dataset.outcome }, "Outcome of the run")];
}

/** The inspector says it, also where it is closed as long as there is nothing to inspect. */
function say(text) {
  root.classList.add("inspecting");
  fill(part("inspector"), h("p", { class: "notice error", role: "alert" }, text));
}

/** The first state, as soon as a worker has made it. */
async function firstState(rest) {
  for (;;) {
    try {
      return await rest.state(0);
    } catch (problem) {
      if (problem.status !== CONFLICT) throw problem;
      const { status } = await rest.run();
      if (!isGoing(status)) throw new NeverBegan(status, problem.message);
      fill(part("inspector"), h("p", { class: "muted" }, "Waiting for a worker to begin the run…"));
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  }
}

start();
