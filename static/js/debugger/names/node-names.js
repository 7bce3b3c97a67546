// Names of nodes, short: what nearly all of them begin and end with is cut, so that what tells them apart is
// read. Cut is only at separators. Addresses, events, copies, tooltips and screen readers get the whole name,
// and one click brings it back (names-line.js). Pure.

/** A beginning or an ending is common if so many of the nodes share it: one odd name undoes no cut. */
const NEARLY_ALL = 0.75;
/** If so many of the nodes have a domain, what these share of it is cut: a cluster may have hosts of two clouds. */
const MANY = 0.25;
/** So many parts of a host's own name stay at least: "12-34" says more than "34". */
const KEPT = 2;
/** What clone-node adds to a node's name, domain and all. */
const CLONE = /-\d+$/;

export class NodeNames {
  /** `names`: of all nodes on the page; `reading.wholeNames` undoes the cut. */
  constructor(names, reading) {
    this.reading = reading;
    this.common = commonParts(names);
    this.byShort = new Map();
    this.learn(names);
  }

  /** Take in nodes that came later; what is cut stays what it was, and a short name stays whose it was. */
  learn(names) {
    for (const name of names)
      if (!this.byShort.has(this.short(name))) this.byShort.set(this.short(name), name);
  }

  /** Whether the names have anything in common that can be cut. */
  get isCuttable() {
    return this.common.head !== "" || this.common.tail !== "";
  }

  /** The name without what is common: for places that have no room for more. */
  short(name) {
    return shortened(name, this.common);
  }

  /** The name as the reader wants it. */
  shown(name) {
    return this.reading.wholeNames ? name : this.short(name);
  }

  /** The whole name of the node that is called so, by its short name or its whole one. */
  whole(name) {
    return this.byShort.get(name) ?? name;
  }
}

/** A name without the parts that it has in common with the others. */
export function shortened(name, { head, tail }) {
  const host = withoutTail(name, tail);
  return host.startsWith(head) ? host.slice(head.length) : host;
}

/**
 * What names begin and end with: {head, tail}, each "" where that is nothing; without it all still differ.
 * Of a host's own name at least two parts are left; a domain that the hosts share goes as a whole.
 */
export function commonParts(names) {
  const nothing = { head: "", tail: "" };
  if (names.length < 2) return nothing;
  const hosts = names.filter((name) => name.includes("."));
  const tail = hosts.length >= Math.max(2, names.length * MANY) ? commonDomain(hosts) : hosts.length ? "" : commonEnd(names);
  const head = commonBeginning(names.map((name) => withoutTail(name, tail)));
  const common = { head, tail };
  const shorts = new Set(names.map((name) => shortened(name, common)));
  return shorts.size === names.length ? common : nothing;
}

/** The common end is also cut where the number of a clone follows it. */
function withoutTail(name, tail) {
  const at = name.lastIndexOf(tail);
  const after = name.slice(at + tail.length);
  return at > 0 && (after === "" || CLONE.test(after)) ? name.slice(0, at) + after : name;
}

/** ".eu-central-1.compute.internal": a host's first label always stays. */
function commonDomain(names) {
  const labels = names.map((name) => name.replace(CLONE, "").split(".").reverse());
  const shared = sharedParts(labels, (parts) => parts.length - 1);
  return shared.map((label) => `.${label}`).reverse().join("");
}

/** "-worker", where no name has a domain. */
function commonEnd(names) {
  const shared = sharedParts(names.map((name) => name.split("-").reverse()), spare);
  return shared.map((part) => `-${part}`).reverse().join("");
}

/** "ip-10-0-": each part with its separator. */
function commonBeginning(hosts) {
  return sharedParts(hosts.map((host) => host.match(/[^-.]*[-.]?/g).filter(Boolean)), spare).join("");
}

function spare(parts) {
  return Math.max(0, parts.length - KEPT);
}

/** The first parts that all have, but for the few whose first is another; of each at most `spareOf(parts)`. */
function sharedParts(names, spareOf) {
  const [one, ...others] = mostAlike(names);
  const most = others.reduce((least, parts) => Math.min(least, spareOf(parts)), spareOf(one));
  const isShared = (part, i) => i < most && others.every((parts) => parts[i] === part);
  const differing = one.findIndex((part, i) => !isShared(part, i));
  return one.slice(0, differing);
}

/** Those with the commonest first part if that is nearly all, else all. */
function mostAlike(names) {
  const byFirst = new Map();
  for (const parts of names) {
    if (!byFirst.has(parts[0])) byFirst.set(parts[0], []);
    byFirst.get(parts[0]).push(parts);
  }
  const largest = [...byFirst.values()].reduce((a, b) => (b.length > a.length ? b : a));
  return largest.length >= NEARLY_ALL * names.length ? largest : names;
}
