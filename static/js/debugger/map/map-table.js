// The map as a table: everything a tile shows, in words and numbers, a page of rows at a time.

import { hyperNodesBy } from "../../hyper-nodes.js";
import { fill, h } from "../../drawing/dom.js";
import { decidingFirst } from "./deciding-first.js";
import { groupOf } from "./groups.js";
import { promisedPods } from "./marks.js";
import { nodeLink } from "../names/node-link.js";
import { amount } from "../../amounts.js";
import { count, percent, plural } from "../words/units.js";
import { triedWords } from "../../schedulers/sessions/statement.js";

const ROWS = 100;
/** How many nominated pods a row names. */
const NAMED = 3;

export class MapTable {
  element;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("./loads.js").Loads} */
  loads;
  /** @type {import("./map.js").ClusterMap} */
  map;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  onNode;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../words/scheduler.js").Scheduler} */
  scheduler;

  /** `parts`: {element, fold, loads, names, reading, scheduler, map, onNode(name)}; the map has the nodes' groups and marks. */
  constructor(parts) {
    Object.assign(this, parts);
    this.page = 0;
    this.reading.when([this.map, "lit", "node", "view", "resource", "wholeNames", "time", "card", "follow", "playing"], () => this.draw());
  }

  draw() {
    const { element, reading, map } = this;
    if (reading.view !== "table" || !map.groups) return;
    const all = map.groups.flatMap((group) => group.nodes);
    const shown = reading.lit ? all.filter((node) => reading.lit.has(node)) : all;
    // Who plays or follows reads rows that stay where they are.
    const nodes = reading.playing || reading.follow ? shown : decidingFirst(shown, map.marks, map.whyNot);
    this.nominated = promisedPods(this.fold, map.marks);
    const pages = Math.max(1, Math.ceil(nodes.length / ROWS));
    this.page = Math.min(this.page, pages - 1);
    const rows = nodes.slice(this.page * ROWS, (this.page + 1) * ROWS);
    const resources = this.loads.resources
      .filter((name) => name !== "pods" && name !== "ephemeral-storage")
      .slice(0, 4);
    fill(
      element,
      this.#heads(),
      h(
        "table",
        { class: reading.follow ? "dense steady" : "dense" },
        h("caption", { class: "visually-hidden" }, "Nodes of the cluster after this decision"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["node", reading.group === "none" ? null : "group", map.cards && "cards", ...resources, "pods", "at this decision"]
              .filter(Boolean)
              .map((name) =>
                h(
                  "th",
                  { scope: "col", class: resources.includes(name) || name === "pods" ? "num" : null },
                  resources.includes(name) ? this.loads.nameOf(name) : name,
                ),
              ),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((node) => this.#row(node, resources)),
        ),
      ),
      pages > 1 && this.#pager(pages, nodes.length),
    );
  }

  #row(node, resources) {
    const { fold, loads, reading } = this;
    const card = fold.nodes[node];
    return h(
      "tr",
      {
        aria: { selected: reading.node === card.name ? true : null },
        class: [reading.node === card.name && "selected", this.map.whyNot?.nearest === node && "nearest"].filter(Boolean).join(" ") || null,
      },
      h("th", { scope: "row" }, nodeLink(this.names, card.name, this.onNode)),
      reading.group !== "none" && h("td", {}, groupOf(card, reading.group, hyperNodesBy(fold, reading.group))),
      this.map.cards && h("td", {}, this.map.cards.drawButtons(node)),
      resources.map((resource) =>
        h(
          "td",
          { class: "num", title: this.#exact(node, resource) },
          loads.capacity(node, resource) ? percent(loads.share(node, resource)) : "–",
        ),
      ),
      h("td", { class: "num" }, `${count(fold.podsOn(node).length)} of ${count(card.pod_limit)}`),
      this.#said(node, card),
    );
  }

  /** While the head is followed on one line: rows below stay where they are. */
  #said(node, card) {
    const words = this.#role(node, card);
    return h("td", { class: "role", title: this.reading.follow ? words : null }, words);
  }

  #exact(node, resource) {
    const { loads } = this;
    const requested = amount(resource, loads.requested(node)[resource] ?? 0);
    return `${requested} of ${amount(resource, loads.capacity(node, resource))}`;
  }

  /** What the tile's outline, patterns and foot say. */
  #role(node, card) {
    const { map } = this;
    const { marks } = map;
    const role = [];
    if (marks.came.has(node)) role.push("comes");
    if (marks.went.has(node)) role.push("goes");
    if (marks.chosen === node) role.push(marks.nominatedTo === node ? "nominated" : "chosen");
    else if (marks.candidates.has(node)) role.push("candidate");
    else if (marks.best.has(node)) role.push("equally good");
    const before = marks.before.get(node);
    const { whyNot } = map;
    if (whyNot?.nearest === node) role.push("the nearest");
    if (whyNot?.kindOf(node) && !map.layout?.isTall) role.push(whyNot.saysExactly(node));
    const lost = (before ?? []).filter((pod) => marks.victims.has(pod)).length;
    const gone = (before ?? []).filter((pod) => marks.gone.has(pod));
    const isMarked = gone.every((pod) => this.fold.pods[pod].terminating);
    const terminating = this.fold.podsOn(node).filter((pod) => this.fold.terminating.has(pod)).length;
    if (lost) role.push(`loses ${plural(lost, "pod")}`);
    if (gone.length) role.push(`${plural(gone.length, isMarked ? "terminating pod" : "pod")} gone`);
    if (terminating) role.push(`${plural(terminating, "pod")} terminating`);
    role.push(...triedWords(this.fold, marks, node), ...this.#promises(node));
    if (card.unschedulable) role.push("cordoned");
    const said = map.footOf(node)?.words;
    if (said) role.push(said);
    const refused = map.cards?.refusalOf(node);
    if (refused) role.push(refused);
    return role.filter((words) => words === said || !said?.startsWith(`${words}: `)).join(", ");
  }

  /** Which waiting pods are nominated to the node, and whether that keeps its room for them. */
  #promises(node) {
    const pods = this.nominated.get(node) ?? [];
    if (!pods.length) return [];
    const names = pods.slice(0, NAMED).map((pod) => {
      const { namespace, name } = this.fold.pods[pod];
      return `${namespace}/${name}`;
    });
    if (pods.length > NAMED) names.push(plural(pods.length - NAMED, "other"));
    const whose = names.join(" and ");
    return [this.scheduler.nomination.is_held ? `promised to ${whose}` : `nominated for ${whose}, not held`];
  }

  /** What the heads of the map's groups say: why none of their nodes takes the pod. */
  #heads() {
    const { groups, whyNot, isWhyNotAwaited } = this.map;
    if (!whyNot) return null;
    return h(
      "ul",
      { class: isWhyNotAwaited ? "plain small muted table-heads is-old" : "plain small muted table-heads" },
      groups.map(({ name, nodes }) =>
        h("li", {}, name && h("b", {}, name), ` ${count(nodes.length)}: `, whyNot.counted(nodes).join(", ")),
      ),
    );
  }

  #pager(pages, all) {
    const turn = (by) => {
      this.page = Math.max(0, Math.min(pages - 1, this.page + by));
      this.draw();
      this.element.scrollTop = 0;
    };
    return h(
      "div",
      { class: "pager" },
      h("button", { type: "button", disabled: this.page === 0, data: { key: "previous" }, onclick: () => turn(-1) }, "previous"),
      h(
        "span",
        {},
        `${count(this.page * ROWS + 1)} to ${count(Math.min(all, (this.page + 1) * ROWS))} of ${count(all)}`,
      ),
      h("button", { type: "button", disabled: this.page === pages - 1, data: { key: "next" }, onclick: () => turn(1) }, "next"),
    );
  }
}
