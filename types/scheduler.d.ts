// What a scheduler brings to the pages (static/js/schedulers/). Everything but `joinInspector` may be left out.

/** Pure: what other parts need to know of it (facts.js). */
interface SchedulerFacts {
  /** Whether an actor of this `engine`, as the log names it, is of this scheduler and works in sessions. */
  isSessionEngine?(engine: string): boolean;
  /** What the find box finds: rows as in search/finding.js of those that have the lower-case letters in their names. */
  finders?: ((parts: any, wanted: string) => any[])[];
  /** Kinds of controllers that these find. */
  foundKinds?: string[];
  /** Why it ignores a pod that waits for its sessions; `texts` are the words of the run's scheduler. */
  whyIgnoresPod?(fold: any, pod: number, texts: any): string;
  /** What is to be said beside "asks nothing" in a run. */
  noteOnNothing?(fold: any): string;
  /** How late a reason is said, 0 for those that come first. */
  lateness?(reason: string): number;
}

/** What it draws on the page of a run in which it is (views.js). */
interface SchedulerView {
  /** Colours of pods by their queue. */
  colours?: any;
  /** Cards of nodes as the map shows them. */
  cards?: any;
  /** Where the queues of other schedulers are drawn. */
  below?: HTMLElement;
  joinInspector(inspector: any): void;
}
