// The run page's start: wait till a worker has begun the run, read its first state, then let the page take over.

import { Fold } from "../fold.js";
import { ready } from "../ready.js";
import { readAddress } from "./address.js";
import { fill, h } from "../drawing/dom.js";
import { isGoing } from "./live/live.js";
import { NotBegun } from "./live/not-begun.js";
import { Page } from "./page.js";
import { openInspector, part, root, withFacts } from "./parts.js";
import { Rest } from "./rest.js";
import { Scheduler } from "./words/scheduler.js";
import { beginningFor, CAPACITY, isHeldInParts } from "./log/window.js";

const WAIT = 700;

async function start() {
  const rest = new Rest(root.dataset.api);
  try {
    const run = withFacts(await begun(rest));
    const [base, words] = await Promise.all([beginning(rest, run), rest.scheduler()]);
    window.sandtable = await Page.open({ run, base, rest, scheduler: new Scheduler(words) });
    ready();
  } catch (problem) {
    if (problem instanceof NeverBegan) return sayNeverBegan(problem.run);
    say(`The run can't be shown: ${problem.message}`);
    console.error(problem);
  }
}

/** The state to begin with: before the first decision or, of a long run, a little before that of the address. */
async function beginning(rest, { decisions }) {
  const { at } = readAddress(location.search);
  const first = decisions > CAPACITY && at !== null ? beginningFor(Math.min(at, decisions)) : 0;
  const base = await rest.state(first);
  return first && !isHeldInParts(new Fold(base), decisions) ? rest.state(0) : base;
}

/** The run has ended and has no first state: it failed, or was cancelled, before its first decision. */
class NeverBegan extends Error {
  constructor(run) {
    super(`run ${run.id} never began`);
    this.run = run;
  }
}

/** The run, as soon as a worker has begun it: from then on it says what it rests on, and has a first state. */
async function begun(rest) {
  const notBegun = new NotBegun(rest);
  for (;;) {
    const run = await rest.run();
    const ends = run.trust || !isGoing(run.status);
    if (ends) notBegun.leave();
    if (run.trust) return run;
    if (ends) throw new NeverBegan(run);
    notBegun.show(run);
    await new Promise((resolve) => setTimeout(resolve, WAIT));
  }
}

/** There is no map and nothing to play: only why, and where to go instead. */
function sayNeverBegan({ status, error }) {
  Object.assign(part("live"), { className: `live-state ${status}`, textContent: status });
  root.classList.add("never-began");
  const why =
    status === "failed"
      ? `The run failed before its first decision: ${withPlaces(error)}`
      : `The run was ${status} before it began.`;
  const { outcome, scenario } = root.dataset;
  say(why, [
    scenario && h("a", { class: "button primary", href: scenario }, "Mend the scenario"),
    h("a", { class: "button", href: outcome }, "Outcome of the run"),
  ]);
}

/** The sentence with its edits numbered as the editor shows them. */
function withPlaces(sentence) {
  const places = JSON.parse(root.dataset.places);
  return sentence.replace(/edits\[(\d+)\]/g, (_, index) => `edit ${places[index]}`);
}

/** The inspector says it, also where it is closed as long as there is nothing to inspect. */
function say(text, ways = []) {
  openInspector();
  const notice = h("p", { class: "notice error", role: "alert" }, text);
  fill(part("inspector"), notice, h("p", { class: "actions" }, ways));
}

start();
