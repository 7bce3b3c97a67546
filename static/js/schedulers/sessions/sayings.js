// What sessions say of pods and of jobs beside the decisions that are about them: whom a statement binds or takes back,
// which jobs are let in or can't take part, what pods and pod groups are told at the close. Pure.
//
// A saying is {seq, what, text, times, last}: said first by decision `seq`, and in the same words by `times` decisions in
// a row up to `last`. `what` is bound, "taken back", told, entered, rejected, invalid or status.

const TASKS = "tasks/";
/** So many are kept of a pod or a job, the newest. */
const KEPT = 60;

export class Sayings {
  constructor() {
    this.pods = new Map();
    this.jobs = new Map();
    /** By job and task: the last refused try; by uid: the try for whose sake a pod was passed over. */
    this.refused = new Map();
    this.passed = new Map();
  }

  /** Take in the next decision of the log. */
  take(event) {
    if (event.kind === "placement") this.#follow(event);
    SAYS[event.kind]?.(event, {
      pod: (uid, what, text = "") => note(this.pods, uid, event.seq, what, text),
      job: (job, what, text = "") => note(this.jobs, job, event.seq, what, text),
      reasonOf: (uid, message) => this.#reasonOf(uid, message),
    });
  }

  #follow({ outcome, why, job, role, pod, message }) {
    const task = JSON.stringify([job, role]);
    if (outcome === "refused") this.refused.set(task, { name: pod.name, message });
    else if (why === "role") this.passed.set(pod.uid, { told: message, first: this.refused.get(task) });
  }

  /** What a pod is told; of one passed over also what the first of its task was told, whose words don't name it. */
  #reasonOf(uid, message) {
    const { told, first } = this.passed.get(uid) ?? {};
    return first && told === message ? `${message}. Of its task ${first.name} was tried first: ${first.message}` : message;
  }

  /** What is said of a pod, by uid, and of its job, oldest first; of the job only what keeps its pods from being tried. */
  ofPod(uid, job) {
    const own = this.pods.get(uid) ?? [];
    const ofJob = this.ofJob(job).filter(({ what }) => what === "rejected" || what === "invalid");
    return [...own, ...ofJob].sort((a, b) => a.seq - b.seq);
  }

  /** What is said of a job, oldest first. */
  ofJob(job) {
    return this.jobs.get(job) ?? [];
  }
}

const SAYS = {
  session: ({ invalid = [] }, say) => invalid.forEach(({ job, reason, message }) => say.job(job, "invalid", message || reason)),

  enqueue: ({ job, outcome, lacking = [] }, say) => say.job(job, outcome, lacking.join(", ")),

  gang({ bound = [], outcome, changes }, say) {
    for (const { uid } of bound) say.pod(uid, "bound");
    if (outcome !== "discarded") return;
    for (const { verb, table, id } of changes) if (verb === "vanish" && table?.startsWith(TASKS)) say.pod(id, "taken back");
  },

  close({ groups = [], messages = [] }, say) {
    for (const { job, phase, reason, message } of groups) say.job(job, "status", [phase, reason, message].filter(Boolean).join(": "));
    for (const { pod, reason, message } of messages) say.pod(pod.uid, "told", say.reasonOf(pod.uid, message || reason));
  },
};

function note(sayings, of, seq, what, text) {
  const known = sayings.get(of) ?? [];
  sayings.set(of, known);
  const before = known.findLast((one) => one.what === what);
  const isSame = before?.text === text && (what === "status" || before === known.at(-1));
  if (isSame) return Object.assign(before, { times: before.times + 1, last: seq });
  known.push({ seq, what, text, times: 1, last: seq });
  if (known.length > KEPT) known.shift();
}
