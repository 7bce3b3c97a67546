// The kinds of decisions that the page knows. To add one: a module beside this one, and its name in KINDS.
// What a kind says is described in types/kind.d.ts.

import { attempt } from "./attempt.js";
import { change } from "./change.js";
import { completion } from "./completion.js";
import { eviction } from "./eviction.js";
import { flush } from "./flush.js";
import { generic } from "./generic.js";
import { workload } from "./workload.js";
import { hamiAttempt } from "../schedulers/hami/decisions/attempt.js";
import { SESSION_KINDS } from "../schedulers/volcano/decisions/all.js";

/** Kinds of decisions that the log calls by the name of another kind, and that are told by what is in them. @type {Kind[]} */
const VARIANTS = [hamiAttempt];
/** @type {Kind[]} */
const NAMED = [attempt, eviction, completion, change, flush, workload, ...SESSION_KINDS];

export { SESSION_KINDS };
/** @type {Kind[]} */
export const KINDS = [...NAMED, ...VARIANTS];

const byName = new Map(NAMED.map((kind) => [kind.kind, kind]));

/** What the page knows of a decision's kind. */
export function kindOf(event) {
  const variant = VARIANTS.find(({ kind, isOf }) => kind === event.kind && isOf(event));
  return variant ?? byName.get(event.kind) ?? generic;
}
