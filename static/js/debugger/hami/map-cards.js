// What the map shows of nodes' cards at the reader's decision: who holds how much, which cards the decision gives, and, once
// the server has said so, by which letter the others were passed over.

import { CARDS, cardsOn, holdersOn, takenBy } from "../../cards.js";
import { readKey } from "../object-key.js";
import { percent } from "../units.js";
import { GIVEN_UP, REFUSED } from "./answer.js";
import { letterOf, LETTERS, OTHER } from "./letters.js";

/** Of a card that fits and was given up for others. */
export const GIVEN_UP_MARK = "↩";

export class MapCards {
  constructor({ fold, reading }) {
    Object.assign(this, { fold, reading });
    this.forget();
  }

  /** Another decision: nothing is known of its cards so far. */
  forget() {
    /** By key of a card: ↩ or the letter of the reason; by index of a node: the letter of one that failed as a whole. */
    this.verdicts = new Map();
    this.letters = new Map();
    this.takenAt = null;
  }

  /** Learn how the cards of nodes were judged: {tries} of each container, by node. */
  learn(containersOfNodes) {
    for (const { tries } of containersOfNodes.flat()) {
      for (const { key, verdict, reason } of tries) {
        if (verdict === REFUSED) this.verdicts.set(key, letterOf(reason).letter);
        else if (verdict === GIVEN_UP) this.verdicts.set(key, GIVEN_UP_MARK);
      }
    }
  }

  /** The letters that stand above cards now, in their order. */
  lettersShown() {
    const shown = new Set(this.verdicts.values());
    return [...LETTERS, OTHER].map(({ letter }) => letter).filter((letter) => shown.has(letter));
  }

  /** A node's cards, by its index. */
  on(node) {
    const { fold } = this;
    return fold.hasNode(node) ? cardsOn(fold, fold.nodes[node].name) : [];
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

  /** The letter of a node that failed as a whole, or null. */
  letterOf(node) {
    return this.letters.get(node) ?? null;
  }

  /** How much of the memory of a node's cards is held. */
  shareWords(node) {
    const cards = this.on(node);
    const sum = (field) => cards.reduce((total, card) => total + card[field], 0);
    const all = sum("memory");
    return all ? percent(sum("used_memory") / all) : "";
  }
}

/** How many cards nobody uses, of how many there are: {idle, all}. */
export function idleCards(fold) {
  const { rows, present } = fold.tables.table(CARDS);
  const there = rows.filter((_, i) => present[i]);
  return { idle: there.filter(({ used }) => !used).length, all: there.length };
}
