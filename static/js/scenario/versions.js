/* What follows from the choice of a scheduler's version: driver, configuration, and where its problems belong.
   A version is {profile, drivers: [{driver, summary}], configuration, settings} as REST lists it. */

import { configurationOf, OBJECTS } from "../schedulers/configurations.js";

/** What the choice of no driver stands for. */
export const BY_EDITS = "";

/** The driver under a version: the present one if somebody chose it and the version has it, else the edits choose. */
export function driverUnder(version, driver) {
  return version.drivers.some((choice) => choice.driver === driver) ? driver : BY_EDITS;
}

/** Whether time may pass: under a driver with a clock, and where the edits choose one that can have it. */
export function mayHaveClock(version, driver) {
  return version.drivers.some((choice) => choice.has_clock && [choice.driver, BY_EDITS].includes(driver));
}

/** What is stored as `config`: the document for a version that reads one, else its settings where they are unusual. */
export function configOf(version, { document, podPriority }) {
  if (version.configuration) return document;
  return podPriority ? null : { podPriority: false };
}

/** How a configuration begins, for who writes one. */
export const beginningOf = (version) => configurationOf(version).beginning;

/** Whether the editor has switches for settings of a version's configuration. */
export const hasSwitches = (version) => configurationOf(version).hasSwitches === true;

/** What draws a form of a version's configuration; undefined where there is only the text. */
export const formOf = (version) => configurationOf(version).form;

/** Those configurations of a cluster that a version takes. */
export function takenBy(found, version) {
  const { of, document } = configurationOf(version);
  return found.filter(({ scheduler }) => scheduler === of && document === version.configuration);
}

/** Fields of the scenario's own that have a place for what is wrong with them. */
export const OWN_FIELDS = ["name", "seed", "until", "attempt_seconds", "ready_seconds"];

/** Sort problems by the field of the page that they belong to; `others` belong to none of these. */
export function sortProblems(problems) {
  const sorted = { name: [], seed: [], until: [], attempt_seconds: [], ready_seconds: [], profile: [], driver: [], config: [], beside: [], others: [] };
  for (const problem of problems) sorted[placeOf(problem)].push(problem);
  return sorted;
}

function placeOf({ object, field }) {
  const of = (name) => ["scheduler", "scenario", "request"].includes(object) && [name, `scheduler.${name}`].includes(field);
  for (const name of OWN_FIELDS) if (object === "scenario" && field === name) return name;
  if (of("profile")) return "profile";
  if (of("driver")) return "driver";
  if (of("config") || OBJECTS.includes(object) || /^kube-\d/.test(object ?? "")) return "config";
  if (of("beside") || /^beside(\[\d+\])?$/.test(object ?? "")) return "beside";
  return "others";
}
