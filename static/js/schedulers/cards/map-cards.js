// What the map shows of nodes' cards at the reader's decision: who holds how much, which cards the decision gives, and, once
// the server has said so, by which letter the others were passed over.

import { cardsOn, holdersOn, takenBy } from "../../cards.js";
import { readKey } from "../../debugger/inspector/object-key.js";
import { wholePercent } from "../../debugger/words/units.js";
import { REFUSED } from "./answer.js";
import { ALL_LETTERS, letterOf, nodeLetter } from "./letters.js";

/** Of a card that fits and was given up for others. */
export const GIVEN_UP_MARK = "↩";

export class MapCards {
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../../debugger/reading.js").Reading} */
  reading;

  constructor({ fold, reading }) {
    Object.assign(this, { fold, reading });
    this.forget();
  }

  /** Another decision: nothing is known of its cards so far. */
  forget() {
    /** By key of a card: ↩ or the letter of the reason; of a node by its name: the reason, and its letter. */
    this.verdicts = new Map();
    this.reasons = new Map();
    this.letters = new Map();
    /** The reason against a card, by key. */
    this.words = new Map();
    this.takenAt = null;
    this.by = "";
  }

  /** Learn how nodes and their cards were judged (answer.js), and `by` whom. `band`: what holds for all cards of a node. */
  learn({ nodes, by }) {
    this.by = by;
    for (const { node, reason, band = reason, passedOver } of nodes) {
      if (reason) this.reasons.set(node, reason);
      if (nodeLetter(band)) this.letters.set(node, nodeLetter(band));
      for (const { key, verdict, reason: word } of passedOver) {
        this.verdicts.set(key, verdict === REFUSED ? letterOf(word).letter : GIVEN_UP_MARK);
        if (verdict === REFUSED) this.words.set(key, word);
      }
    }
  }

  /** The letters that stand at cards and nodes now, in their order. */
  lettersShown() {
    const shown = new Set([...this.verdicts.values(), ...this.letters.values()]);
    return ALL_LETTERS.map(({ letter }) => letter).filter((letter) => shown.has(letter));
  }

  /** A node's cards, by its index. Kept for a decision: a frame asks for those of every node. */
  on(node) {
    const { fold } = this;
    if (this.kept?.at !== fold.at) this.kept = { at: fold.at, cards: new Map() };
    const { cards } = this.kept;
    if (!cards.has(node)) cards.set(node, fold.hasNode(node) ? cardsOn(fold, fold.nodes[node].name) : []);
    return cards.get(node);
  }

  /** Whether every node has cards. */
  get areEverywhere() {
    return this.fold.presentNodes().every((node) => this.on(node).length > 0);
  }

  holders(key) {
    return holdersOn(this.fold, key);
  }

  /** The cards that the decision gives, by key. */
  get taken() {
    const { at } = this.fold;
    if (this.takenAt?.at !== at) this.takenAt = { at, cards: takenBy(this.fold, at) };
    return this.takenAt.cards;
  }

  /** The key of the card that the reader has selected, or null. */
  get selected() {
    const chosen = readKey(this.reading.card);
    return chosen?.kind === "card" ? chosen.name : null;
  }

  /** The letter of a node that was turned down, by its index, or null. */
  letterOf(node) {
    return this.letters.get(this.fold.nodes[node].name) ?? null;
  }

  /** The reason against a node, by its index, or null. */
  reasonFor(node) {
    return this.reasons.get(this.fold.nodes[node].name) ?? null;
  }

  /** How much of the memory of a node's cards is held. */
  shareWords(node) {
    const cards = this.on(node);
    const sum = (field) => cards.reduce((total, card) => total + card[field], 0);
    const all = sum("memory");
    return all ? wholePercent(sum("used_memory") / all) : "";
  }
}
