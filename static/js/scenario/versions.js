/* What follows from the choice of a scheduler's version: driver, configuration, and where its problems belong.
   A version is {profile, drivers: [{driver, summary}], configuration, settings} as REST lists it. */

/** The driver under a version: the present one if it was chosen and the version has it, else its default. */
export function driverUnder(version, driver, chosen) {
  const known = version.drivers.some((choice) => choice.driver === driver);
  return chosen && known ? driver : version.drivers[0].driver;
}

/** Whether somebody must have chosen this driver: it is not what the version has by itself. */
export function isChosen(version, driver) {
  return driver !== version.drivers[0].driver;
}

/** What is stored as `config`: the document for a version that reads one, else its settings where they are unusual. */
export function configOf(version, { document, podPriority }) {
  if (version.configuration) return document;
  return podPriority ? null : { podPriority: false };
}

export const takesHamiSettings = ({ configuration }) => configuration === DOCUMENTS.hami;

/** How a configuration begins, for who writes one. */
export function beginningOf({ configuration }) {
  if (configuration === "volcano-scheduler.conf") return 'actions: "enqueue, allocate, backfill"\ntiers:\n- plugins:\n  - name: priority';
  if (takesHamiSettings({ configuration })) return "nodeSchedulerPolicy: binpack\ngpuSchedulerPolicy: spread";
  return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration";
}

const DOCUMENTS = { volcano: "volcano-scheduler.conf", hami: "HAMi settings", "kube-scheduler": "KubeSchedulerConfiguration" };

/** Those configurations of a cluster that a version takes. */
export function takenBy(found, { configuration }) {
  return found.filter(({ scheduler }) => DOCUMENTS[scheduler] === configuration);
}

/** Objects of problems that a scheduler's configuration has by itself. */
const OF_CONFIGURATIONS = ["KubeSchedulerConfiguration", "Volcano's configuration", "HAMi configuration"];

/** Fields of the scenario's own that have a place for what is wrong with them. */
export const OWN_FIELDS = ["name", "seed", "until", "attempt_seconds"];

/** Sort problems by the field of the page that they belong to; `others` belong to none of these. */
export function sortProblems(problems) {
  const sorted = { name: [], seed: [], until: [], attempt_seconds: [], profile: [], driver: [], config: [], beside: [], others: [] };
  for (const problem of problems) sorted[placeOf(problem)].push(problem);
  return sorted;
}

function placeOf({ object, field }) {
  const of = (name) => ["scheduler", "scenario", "request"].includes(object) && [name, `scheduler.${name}`].includes(field);
  for (const name of OWN_FIELDS) if (object === "scenario" && field === name) return name;
  if (of("profile")) return "profile";
  if (of("driver")) return "driver";
  if (of("config") || OF_CONFIGURATIONS.includes(object) || /^kube-\d/.test(object ?? "")) return "config";
  if (of("beside") || /^beside(\[\d+\])?$/.test(object ?? "")) return "beside";
  return "others";
}
