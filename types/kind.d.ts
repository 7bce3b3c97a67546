// What the page knows of one kind of decisions (static/js/decisions/). A kind is an object; `...generic` gives it whatever it
// doesn't say itself. All but the tabs' `draw` and `below` is pure.

/** Parts of a sentence (phrases.js). */
type Phrase = any[];

interface Kind {
  /** Its name in the log. */
  kind: string;
  /** Of a variant of another kind: whether a decision of that name is one. */
  isOf?(event: any): boolean;
  /** Whom the decision is about; `pod` is its uid, or null. */
  who(event: any): { name: string; pod: string | null; title?: string };
  /** The answer. */
  sentence(event: any, told: Told): Phrase;
  /** More parts, for what the log doesn't hold. */
  lead(event: any, evidence: any): Promise<Phrase>;
  /** The decision as a link in the chain of its pod's waiting (waiting-chain.js); `outcomeWord` is the scheduler's word. */
  turn(event: any, outcomeWord: OutcomeWord): { mark: string; title: Phrase; details: any[] };
  /** The decision as what something else came by: "the deletion of shop/web". */
  asCause(event: any): Phrase;
  /** What a card of the time line says; of `decision` are known outcome, node and how many pods it evicted. */
  brief(decision: any, outcomeWord: string): { mark: string; words: string; node: string };
  /** Whether who steps by event stops at it: not where a scheduler tries a pod. */
  isEvent: boolean;
  /** Whether who is moved in a queue to be tried again was woken by it: not where their time was over. */
  wakes: boolean;
  /** Whether it is a controller's work: pods that it deletes are lost, though nothing evicted them. */
  isControllers: boolean;
  /** Short facts beside the name; `schedulers`: the names of all of the run. */
  notes(event: any, schedulers?: string[]): string[];
  /** In their order; `tools`: tab-tools.js. */
  tabs: { key: string; label: string; draw(tools: any, event: any): any }[];
  /** The key of the tab that answers best. */
  opening(event: any): string;
  /** Whether nodes were looked at, so that "why not this node" has an answer. */
  asksNodes(event: any): boolean;
  /** The pod (its uid) that found no node, or the job that waits, and after which decision its scheduler says why; else null. */
  unplaced(event: any): { pod?: string; job?: string; at: number } | null;
  /** For the time line: one of TONES (figures.js), and the share of nodes that could have taken it, or NaN. */
  figures(event: any): { tone: string; fits: number };
  /** Where play may pause. */
  stops: Stop[];
  /** Adds to the map's marks (marks.js): chosen, candidates, best …, and `tone`; `at` has the indices that marks know. */
  mark(event: any, marks: any, at: { node(name: string): number; pod(uid: string): number }): void;
  /** What it says of each node in a few words, by name; `facts`: attempt-verdicts.js. */
  verdicts(event: any, facts: any): Map<string, any>;
  /** What else verdicts are told, in `facts.found`. */
  moreFacts(event: any, evidence: any): Promise<any>;
  /** What stands between the sentence and the tabs, or null. */
  below(tools: any, event: any): any;
  /** The events as kubectl shows them: {type, reason, from, object, message}. */
  messages(event: any, scheduler: any): any[];
  /** Lines between the sentence and the link of Copy as Markdown. */
  markdown(event: any, scheduler: any): string[];
}

/** What a sentence is told beside the decision: the scheduler's words, and what came before (past.js). */
interface Told {
  scheduler?: any;
  seed?: number | null;
  takers?: any;
  marked?: any;
  statement?: any[];
  cardNumber?(key: string): number | null;
  vendorsOn?(node: string): string[];
}

type OutcomeWord = (kind: string, outcome: string) => string;

interface Stop {
  key: string;
  label: string;
  is(event: any): boolean;
  /** Offered only in a run that has such decisions. */
  onlyIfAny?: boolean;
  /** The filter of REST's `stops/` by which the server finds the same decisions, if there is one. */
  index?: Record<string, any>;
}
