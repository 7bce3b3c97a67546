// How a job is called for readers: the log names jobs by their pod groups, whose names Volcano makes of the job's name and
// its uid. The twin of scheduler_core/volcano/reporting/job_names.py. Pure.

const OF_A_JOB = /^(.+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What Volcano calls pod groups that it makes for pods without any: "podgroup-" and the uid of their owner. */
const OF_PODS = /^(?:.*\/)?podgroup$/;

/** A pod group's name, with or without its namespace, without the uid of the job that it is made for. */
export function jobName(group) {
  const job = OF_A_JOB.exec(group)?.[1];
  return job === undefined || OF_PODS.test(job) ? group : job;
}

/** "PodGroup ml/bert-…" as "PodGroup ml/bert"; other objects keep their names. */
export function objectName(object) {
  return object.startsWith("PodGroup") ? jobName(object) : object;
}

/** Whom a decision about no pod is about: how it is called, and as `title` its own name where that is another one. */
export function named(own, called) {
  return { name: called, pod: null, ...(called === own ? {} : { title: own }) };
}
