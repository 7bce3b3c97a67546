// A run's scheduler in its own words: what it calls its parts, in which order it asks them, by which criteria it
// chooses. All of it comes from REST (docs/rest.md, "A scheduler in words"); which node wins and why is in the log.
// Pure.

import { lasting } from "./units.js";

const COMMON_SUBJECTS = ["a pod", "a node"];

export class Scheduler {
  cards;
  nomination;
  outcomes;
  playing;
  preemption;
  profiles;
  reasons;
  sessions;
  version;
  waits;

  /** `answer`: what `runs/{id}/scheduler/` gives; its parts are properties under the same names. */
  constructor(answer) {
    Object.assign(this, answer);
    this.named = new Map(answer.reasons.filter(({ begins }) => !begins).map((row) => [row.reason, row]));
  }

  /** Whether a nominated node that fits is taken without asking the others. */
  get asksNominatedFirst() {
    return this.nomination.asked_first;
  }

  /** The plugins that decide about the pods of a `schedulerName`: {filters, scores}. */
  profileOf(name) {
    return this.profiles.find((profile) => profile.name === name) ?? this.profiles[0];
  }

  /** A filter's place in the order in which a profile asks; behind all others if it isn't known. */
  rank(profile, filter) {
    const { filters } = this.profileOf(profile);
    const place = filters.findIndex(({ name }) => name === filter);
    return place < 0 ? filters.length : place;
  }

  /** The filter that asks this one, or itself: PodFitsResources is asked by GeneralPredicates. */
  askedBy(filter) {
    const all = this.profiles.flatMap(({ filters }) => filters);
    return all.find(({ parts }) => parts.includes(filter))?.name ?? filter;
  }

  /** The filter that gives a reason, where reasons are names; else none. */
  filterOf(reason) {
    const begun = () => this.reasons.find((row) => row.begins && reason.startsWith(row.reason));
    return (this.named.get(reason) ?? begun())?.filter ?? "";
  }

  /** What a reason that is a name stands for; empty for a reason that is a sentence. */
  meaningOf(reason) {
    return this.named.get(reason)?.means ?? "";
  }

  /** What HAMi's reason against a card or a node stands for; empty for one that isn't known. */
  cardMeaning(word) {
    return this.cards?.reasons.find(({ reason }) => reason === word)?.means ?? "";
  }

  /** The criteria by which one of these candidates is chosen, in order, in the words that fit them. */
  criteria(candidates = []) {
    const { criteria } = this.preemption;
    if (candidates.every(countsHighest)) return criteria;
    return criteria.map((one) => ({ ...one, ...one.first_victim }));
  }

  /** Why a pod was passed over or turned away in a session; the log's own word for what isn't known. */
  refusal(event) {
    const { why, action, message } = event;
    const rows = this.sessions?.refusals.filter((row) => row.why === why) ?? [];
    const row = rows.find((one) => one.action === action) ?? rows.find((one) => !one.action);
    if (row?.takes_message) return reasonOfAll(message);
    return row ? filled(row.words, event) : why || message || "no reason is given";
  }

  /** What it means that `by` puts one `of` queue, job or pod before another; empty for what isn't known. */
  orderWords(of, by) {
    return this.sessions?.orders.find((row) => row.of === of && row.by === by)?.means ?? "";
  }

  /** The events about these pods, of a session: `kind` is bound, evicted or waits; `more(pod)`: what is filled in. */
  sessionEvents(kind, pods, more) {
    if (!this.sessions) return [];
    const { source: from, object, [kind]: text } = this.sessions;
    return pods.map((pod) => {
      const values = { pod: pod.name, namespace: pod.namespace, ...more(pod) };
      return { ...text, from, object: filled(object, values), message: filled(text.message, values) };
    });
  }

  /** How an outcome is called beside its pod (`word`), and in the pod's life. */
  outcome(kind, outcome) {
    const found = this.outcomes.find((row) => row.kind === kind && row.outcome === outcome);
    return found ?? { word: outcome ?? "", life: outcome ?? "" };
  }

  /**
   * What would wake a pod that these plugins rejected, a phrase for each kind of object: "a pod goes or asks for less".
   * Pods and nodes come first, since they change most.
   */
  wakeWords(profile, plugins) {
    const verbs = new Map(COMMON_SUBJECTS.map((subject) => [subject, new Set()]));
    for (const { plugin, events } of this.profileOf(profile).listeners) {
      if (!plugins.includes(plugin)) continue;
      for (const { subject, verb } of events)
        verbs.set(subject, (verbs.get(subject) ?? new Set()).add(verb));
    }
    return [...verbs].filter(([, said]) => said.size).map(([subject, said]) => `${subject} ${enumerated([...said])}`);
  }

  /** What a plugin's answer to an event means; empty for an answer, a plugin or an event that isn't known. */
  answerWords(profile, plugin, label, answer) {
    if (answer === "Error") return "the hint cannot say, which counts as a yes";
    const events = this.profileOf(profile).listeners.find((row) => row.plugin === plugin)?.events ?? [];
    const heard = events.findLast(({ labels }) => labels.includes(label));
    return (answer === "Queue" ? heard?.yes : heard?.no) ?? "";
  }

  /** How long back-offs last, in words; empty for a version that knows none. */
  get backoffWords() {
    if (!this.waits) return "";
    const { first_backoff: first, longest_backoff: longest } = this.waits;
    return `${lasting(first)} after the first failure, doubled by each further one, ${lasting(longest)} at most`;
  }

  /** Where a nomination stands, and whether it keeps others out: a sentence. */
  nominationWords(node) {
    const { stands_in: where, is_held: isHeld } = this.nomination;
    const noted = `${this.version} notes ${node} in ${where}`;
    if (!isHeld) return `${noted}; nothing holds the room until the pod is tried again.`;
    return `${noted}; until the pod is placed, pods that aren't more important find it counted there.`;
  }
}

/** "goes", "goes or comes", "goes, comes or changes" */
function enumerated(verbs) {
  const last = verbs.at(-1);
  return verbs.length > 1 ? `${verbs.slice(0, -1).join(", ")} or ${last}` : last;
}

/** Before 1.36 the first victim stands for the highest; it needn't be that if its budget is broken. */
export function countsHighest({ victims, highest_priority: counted }) {
  return victims.every(({ priority }) => priority <= counted);
}

/** A text of an event, with its `{names}` filled in. */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A text with its `{names}` filled in, as a sentence. */
export function filledSentence(text, values) {
  const words = filled(text, values);
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

/** An error stands for all nodes alike: "0/4 nodes are unavailable: 4 <error>." */
function reasonOfAll(message) {
  return (message ?? "").replace(/^0\/\d+ nodes are unavailable: \d+ /, "").replace(/\.$/, "");
}
