// What the reader selects, from wherever it is pressed: a node, a pod with its like, the card of an object; and how all of
// it is let go.

import { announce, openInspector, root } from "./parts.js";
import { keyOf } from "./inspector/object-key.js";
import { siblingsOf } from "./pod/pod-card.js";
import { count } from "./words/units.js";

export class Selection {
  /** @type {import("./log/log.js").Log} */
  log;
  reveal;
  /** @type {import("./reading.js").Reading} */
  reading;
  /** @type {import("./controls/transport.js").Transport} */
  transport;

  /** `parts`: {log, reading, transport, reveal(node): brings a node into view on the map} */
  constructor(parts) {
    Object.assign(this, parts);
    this.fold = this.log.fold;
  }

  /** Select a node by its name and bring it into view. */
  node(name) {
    this.reading.set({ node: name });
    const node = this.fold.nodeIndex.get(name);
    if (node !== undefined) this.reveal(node);
  }

  /** Select a pod, its siblings, and show the node it is on. */
  pod(uid) {
    const { fold, reading } = this;
    const pod = fold.podIndex.get(uid);
    if (pod === undefined) return announce("This pod isn't part of the run.");
    reading.set({ pod: uid, siblings: siblingsOf(fold, pod) });
    const node = fold.nodeOf(pod);
    if (node >= 0) this.reveal(node);
    openInspector();
  }

  /** Open the card of an object by its key (object-key.js). */
  card(key) {
    this.reading.set({ card: key });
    openInspector();
  }

  /** Select what lies at a point of the map (map.js). */
  hit({ node, pod, card }) {
    const { fold, reading } = this;
    if (node === null) return reading.set({ node: null, pod: null, siblings: null });
    reading.set({ node: fold.nodes[node].name, ...(card && { card: keyOf("card", card) }) });
    if (pod !== null && fold.hasPod(pod)) this.pod(fold.pods[pod].uid);
    else reading.set({ pod: null, siblings: null });
    openInspector();
  }

  /** Let go of all that is selected or lit. */
  letGo() {
    this.reading.set({ node: null, pod: null, siblings: null, lit: null, reprieve: null, card: null });
    root.classList.remove("inspecting");
  }

  /** Jump back to where the selected pod, or a copy of it, was last evicted. */
  lastLoss() {
    const { reading, log, fold } = this;
    const pod = reading.pod === null ? undefined : fold.podIndex.get(reading.pod);
    if (pod === undefined) return announce("Select a pod first: click its block, or find it with /.");
    const seq = log.lastEviction(pod, reading.at);
    if (seq) return this.transport.seek(seq);
    const { namespace, name } = fold.pods[log.root(pod)];
    const since = log.isFromStart ? "" : `from decision ${count(log.first + 1)} on, and `;
    announce(`${namespace}/${name} didn't lose its place ${since}before this decision.`);
  }
}
