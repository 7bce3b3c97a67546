// What the browser's modules must not hold: a second copy of a scheduler's words, and the page where parts will do.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { KINDS } from "../../static/js/decisions/registry.js";

const SCRIPTS = new URL("../../static/js/", import.meta.url);
const VECTORS = new URL("../vectors/schedulers/", import.meta.url);

/** A module's code, without its comments. */
const codeOf = (path) =>
  readFileSync(new URL(path, SCRIPTS), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");

const modules = ["debugger", "decisions", "schedulers", "compare"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, SCRIPTS), { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => `${folder}/${name}`),
);

/** All that REST says of a scheduler that is a name or a phrase of its own. */
function said({ profile, name, profiles, reasons, preemption, nomination, events, scoring }) {
  return [
    profile,
    name,
    ...profiles.flatMap(({ filters, scores }) => [
      ...filters.flatMap((filter) => [filter.name, ...filter.parts]),
      ...scores.flatMap((score) => [score.name, score.means]),
    ]),
    ...reasons.filter(({ begins }) => !begins).flatMap(({ reason, means }) => [reason, means]),
    ...preemption.criteria.flatMap(({ left, before, decisive }) => [left, before + decisive]),
    ...preemption.incurable.filter((words) => words.includes(" ")),
    preemption.no_victims,
    nomination.stands_in,
    ...Object.values(events),
    scoring.ties,
    scoring.candidate_ties,
  ].filter(Boolean);
}

/** Whether a text has a word, whole. */
const stands = (word, code) =>
  new RegExp(`(?<!\\w)${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`).test(code);

/** The categorical scale assigns its colours by name; the log tells reasons before it knows its scheduler; a
 * configuration begins with a policy. */
const EXCEPT = ["debugger/map/palette.js", "debugger/words/reasons.js", "schedulers/hami/configuration.js"];

/** Who tells a session knows what sessions are made of. */
const SESSIONS = ["schedulers/volcano/", "schedulers/sessions/"];

test("no word that REST says of a scheduler is written down in a module", () => {
  const words = readdirSync(VECTORS).flatMap((name) => said(JSON.parse(readFileSync(new URL(name, VECTORS)))));
  assert.ok(words.length > 200);
  for (const path of modules.filter((name) => !EXCEPT.includes(name))) {
    const code = codeOf(path);
    assert.deepEqual(
      [...new Set(words)].filter((word) => stands(word, code)),
      [],
      path,
    );
  }
});

test("no module asks which kind a decision is of, but the registry of kinds", () => {
  const others = ["debugger/log/log.js", "debugger/map/marks.js", "debugger/inspector/taken-room.js"];
  const asks = new RegExp(`kind [!=]== "(${KINDS.map(({ kind }) => kind).join("|")})"`);
  const asking = modules.filter((path) => asks.test(codeOf(path)));
  assert.deepEqual(
    asking.filter((path) => !others.includes(path) && !SESSIONS.some((folder) => path.startsWith(folder))),
    [],
  );
});

test("what draws gets its parts, not the page", () => {
  const drawing = modules.filter((path) => /(inspector|bar|tabs?|tab-\w+|-tab|pod-card|candidates|beginning)\.js$/.test(path));
  assert.ok(drawing.length >= 10);
  assert.deepEqual(
    drawing.filter((path) => /\bpage\b/.test(codeOf(path).replace(/"[^"]*"|`[^`]*`/g, ""))),
    [],
  );
});
