// The kinds of decisions that the page knows. To add one: a module beside this one, and its name in KINDS.
//
// A kind is an object; `...generic` gives it whatever it doesn't say itself. All but the tabs' `draw` is pure.
//
//   kind                             its name in the log
//   isOf(event)                      of a variant of another kind: whether a decision of that name is one
//   who(event)                       {name, pod}: whom the decision is about; pod is its uid, or null
//   sentence(event, told)            the answer, as parts (phrases.js). told: {scheduler, seed, takers, marked, statement, cardNumber, vendorsOn}
//   lead(event, evidence)            a promise of more parts, for what the log doesn't hold
//   turn(event, outcomeWord)         the decision as a link in the chain of its pod's waiting: {mark, title, details}
//                                    (waiting-chain.js); outcomeWord(kind, outcome) is the scheduler's word
//   asCause(event)                   the decision as what something else came by, as parts: "the deletion of shop/web"
//   brief({outcome, node, evicted}, outcomeWord)   what a card of the time line says: {mark, words, node}; `node` is the
//                                    decision's, `evicted` how many pods it evicted, outcomeWord the scheduler's word
//   isEvent                          whether who steps by event stops at it: not where a scheduler tries a pod
//   wakes                            whether who is moved in a queue to be tried again was woken by it: not where their
//                                    time was over
//   notes(event, schedulers)         short facts beside the name; schedulers: the names of all of the run
//   tabs                             [{key, label, draw(tools, event)}] in order; tools: tab-tools.js
//   opening(event)                   the key of the tab that answers best
//   asksNodes(event)                 whether nodes were looked at, so that "why not this node" has an answer
//   figures(event)                   for the time line {tone, fits}: one of TONES (figures.js), and the share of nodes
//                                    that could have taken it, or NaN
//   stops                            [{key, label, is(event), onlyIfAny, index}]: where play may pause; with `onlyIfAny` it is
//                                    offered only in a run that has such decisions; `index` is the filter of REST's
//                                    `stops/` by which the server finds the same decisions, if there is one
//   mark(event, marks, at)           adds to the map's marks (marks.js): chosen, candidates, best …, and `tone`;
//                                    at.node(name) and at.pod(uid) are the indices by which marks know them
//   verdicts(event, facts)           what it says of each node in a few words: Map(name -> {mark, words, tone, isStrong});
//                                    facts: attempt-verdicts.js
//   moreFacts(event, evidence)       a promise of what else verdicts are told, in `facts.found`
//   below(tools, event)              elements between the sentence and the tabs, or null
//   messages(event, scheduler)       the events as kubectl shows them: [{type, reason, from, object, message}]
//   markdown(event, scheduler)       lines between the sentence and the link of Copy as Markdown

import { attempt } from "./attempt.js";
import { change } from "./change.js";
import { completion } from "./completion.js";
import { eviction } from "./eviction.js";
import { flush } from "./flush.js";
import { generic } from "./generic.js";
import { hamiAttempt } from "./hami/attempt.js";
import { SESSION_KINDS } from "./volcano/all.js";

/** Kinds of decisions that the log calls by the name of another kind, and that are told by what is in them. */
const VARIANTS = [hamiAttempt];
const NAMED = [attempt, eviction, completion, change, flush, ...SESSION_KINDS];

export const KINDS = [...NAMED, ...VARIANTS];

const byName = new Map(NAMED.map((kind) => [kind.kind, kind]));

/** What the page knows of a decision's kind. */
export function kindOf(event) {
  const variant = VARIANTS.find(({ kind, isOf }) => kind === event.kind && isOf(event));
  return variant ?? byName.get(event.kind) ?? generic;
}
