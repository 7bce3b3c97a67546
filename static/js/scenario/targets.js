/* The field that says whom an edit is done to: names, typed or pasted; labels; a group or a workload. What was
   given in one way is kept in the page while another is shown. How many they are is the engine's answer. */

import { count } from "../amounts.js";
import { h } from "../drawing/dom.js";
import { WAYS } from "./operations.js";

const TITLES = { nodes: "names", pods: "names", selector: "labels", group: "group", workload: "workload" };
const HINTS = {
  nodes: "whole names, parted by spaces, commas or lines",
  pods: "namespace/name, parted by spaces, commas or lines",
  selector: "as kubectl takes them: pool=general,zone in (a,b),!spot",
  group: "pool=…, zone=…, or name=… for what names begin with",
  workload: "Kind/namespace/name",
};
/** So many names that the snapshot hasn't are said. */
const NAMED = 5;

/** The names in a pasted list, each once. */
export const namesIn = (text) => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Build the input of a field of kind `nodes` or `pods`, and what stands below it. */
export function targetField(field, entry, set, { id, names }) {
  const list = field.type;
  const [one] = WAYS[list].slice(-1);
  const ways = WAYS[list].slice(0, -1);
  const inputs = Object.fromEntries(ways.map((way) => [way, inputOf(way, list)]));
  const meant = h("p", { class: "hint meant", data: { meant: "" }, role: "status" });
  const hint = h("span", { class: "hint" });
  const buttons = ways.map((way) => h("button", { type: "button", data: { way }, onclick: () => choose(way, { report: true }) }, TITLES[way]));

  function inputOf(way, many) {
    const given = entry.value[way];
    const props = { value: "", spellcheck: "false", autocomplete: "off", oninput: () => report(way) };
    if (way === many) {
      const present = given ?? (entry.value[one] ? [entry.value[one]] : []);
      return h("textarea", { ...props, rows: Math.min(6, Math.max(1, present.length)), value: present.join("\n") });
    }
    const known = { group: names.groups, workload: names.workloads?.map((row) => row.slice(0, 3).join("/")) }[way] ?? [];
    const ofList = `${id}-${way}`;
    return [h("input", { ...props, type: "text", value: given ?? "", list: known.length ? ofList : null }), h("datalist", { id: ofList }, known.map((value) => h("option", { value })))];
  }

  const inputFor = (way) => [inputs[way]].flat()[0];

  function report(way) {
    const text = inputFor(way).value.trim();
    const parts = Object.fromEntries(WAYS[list].map((name) => [name, undefined]));
    if (way !== list) parts[way] = text;
    else {
      const found = namesIn(text);
      if (found.length > 1) parts[list] = found;
      else parts[one] = found[0] ?? "";
      say(found);
    }
    set(parts);
  }

  function say(found) {
    const unknown = names[list].length < names.most ? found.filter((name) => !names[list].includes(name)) : [];
    const rest = unknown.length - NAMED;
    const words = [found.length > 1 && `${count(found.length)} ${list}`, unknown.length && `not in the snapshot: ${unknown.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${count(rest)} more` : ""}`];
    meant.textContent = words.filter(Boolean).join("; ");
    meant.classList.toggle("is-unsched", unknown.length > 0);
  }

  function choose(way, { report: told = false } = {}) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.way === way));
    for (const name of ways) inputFor(name).hidden = name !== way;
    for (const name of ways) inputFor(name).removeAttribute("id");
    inputFor(way).id = id;
    hint.textContent = HINTS[way];
    meant.textContent = "";
    meant.dataset.meant = way === list ? "" : way;
    if (way === list) say(namesIn(inputFor(way).value));
    if (told) {
      report(way);
      inputFor(way).focus();
    }
  }

  choose(ways.find((way) => entry.value[way] !== undefined && entry.value[way] !== null) ?? list);
  const head = h("div", { class: "segments", role: "group", aria: { label: "Choose by" } }, buttons);
  const box = h("div", { class: "target" }, head, Object.values(inputs).flat(), hint, meant);
  return [box];
}

/** Say in an edit's open form whom the engine found by labels or in a group. */
export function showMeant(element, result, list = "nodes") {
  const place = element.querySelector("[data-meant]");
  if (!place?.dataset.meant) return;
  const found = result?.nodes?.length;
  place.textContent = found ? `${count(found)} ${found === 1 ? list.slice(0, -1) : list} match` : "";
}
