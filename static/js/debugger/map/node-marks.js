// Every node's part in why a pod fits on none, as REST gives it (dashboard/answers/node_marks.py): what is seen of a node, what
// is said of it, of many, and which comes nearest. Pure.

import { count } from "../../amounts.js";

/** So many things are named of a group. */
const TOLD = 3;

/** Kinds of which the mark says how much is missing. */
const OF_AMOUNTS = new Set(["near", "middle", "far"]);

/** What is said of one node: what rejects the pod first there, of so many things against it. */
export function ofOne(title, number) {
  return title ? `${title}${others(number - 1)}` : "fits";
}

function others(number) {
  return number > 0 ? `, and ${number} other ${number === 1 ? "reason" : "reasons"}` : "";
}

/** `thousandths` of what is asked for, which are rounded up as they are. */
function percentShort(thousandths) {
  return `${Math.ceil(thousandths / 10)} % short`;
}

/** On how many nodes it is how, in parts: ["fits on 6", "cordoned on 1"]; `titles`: what rejects first on each, "" where the pod fits. */
export function countedParts(titles) {
  const counts = new Map();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  if (titles.length === 1) return [titles[0] || "fits"];
  if (counts.size === 1) return [titles[0] ? `all: ${titles[0]}` : "all fit"];
  const told = [...counts].sort(([, a], [, b]) => b - a).map(([title, number]) => [title || "fits", number]);
  const rest = told.splice(TOLD).reduce((sum, [, number]) => sum + number, 0);
  if (rest) told.push(["something else", rest]);
  return told.map(([title, number]) => `${title} on ${count(number)}`);
}

export class NodeMarks {
  /** `answer`: REST's marks; `nodeIndex`: the page's nodes by name, of which those that it doesn't have are left out. */
  constructor(answer, nodeIndex) {
    const { titles, kinds, first, number, short, rank } = answer;
    this.legend = answer.legend;
    this.nearest = nodeIndex.get(answer.nearest) ?? -1;
    /** By the node's index: {kind, title: "" where the pod fits, number: of things against it, short: in thousandths, rank: the nearest first}. */
    this.of = new Map();
    answer.nodes.forEach((name, row) => {
      const node = nodeIndex.get(name);
      if (node === undefined) return;
      const title = first[row] < 0 ? "" : titles[first[row]];
      this.of.set(node, { kind: kinds[row], title, number: number[row], short: short[row], rank: rank[row] });
    });
  }

  kindOf(node) {
    return this.of.get(node)?.kind;
  }

  /** "insufficient cpu, and 1 other reason"; of a node that nobody asked about nothing. */
  says(node) {
    const found = this.of.get(node);
    return found ? ofOne(found.title, found.number) : "";
  }

  /** In few words, beside the mark: "41 % short", "untolerated taint". */
  briefly(node) {
    const { kind, title, short } = this.of.get(node);
    return OF_AMOUNTS.has(kind) ? percentShort(short) : title || "fits";
  }

  /** As `says`, with how much of what the pod asks for is missing: "insufficient cpu, 15 % short". */
  saysExactly(node) {
    const found = this.of.get(node);
    if (!found || !OF_AMOUNTS.has(found.kind)) return this.says(node);
    return `${found.title}, ${percentShort(found.short)}${others(found.number - 1)}`;
  }

  /** What is said of many nodes, in parts, what most of them lack first. */
  counted(nodes) {
    return countedParts(nodes.filter((node) => this.of.has(node)).map((node) => this.of.get(node).title));
  }

  /** Compares two nodes: which comes nearer to taking the pod. One that nobody asked about comes last. */
  compare = (a, b) => this.#rank(a) - this.#rank(b);

  #rank(node) {
    return this.of.get(node)?.rank ?? this.of.size;
  }
}
