/* What fields show and the draft does not hold: text that is being read, and text that cannot be.
   It is kept by the name of its field, so that no redrawing loses it, and while there is any, nothing runs. */

import { count } from "../amounts.js";

const READ_AFTER = 400;

export class Unread {
  /** `changed()` is called whenever something is held, found faulty or let go. */
  constructor(changed) {
    this.changed = changed;
    this.held = new Map();
  }

  get size() {
    return this.held.size;
  }

  has(name) {
    return this.held.has(name);
  }

  text(name) {
    return this.held.get(name)?.text;
  }

  message(name) {
    return this.held.get(name)?.message ?? "";
  }

  /** What cannot be taken as it stands: [name, message] of each; what is still being read is none of them. */
  get faults() {
    return [...this.held].filter(([, { message }]) => message).map(([name, { message }]) => [name, message]);
  }

  hold(name, text, message) {
    this.keep(name, { text, message });
  }

  release(name) {
    clearTimeout(this.held.get(name)?.timer);
    if (this.held.delete(name)) this.changed();
  }

  /** Hold the text until `ask(text)` has answered {value} or {message} a moment later; `take(value, text)`. */
  read(name, text, ask, take) {
    const entry = { text, message: this.message(name) };
    entry.finish = () => (entry.reading ??= this.finish(name, entry, ask, take));
    entry.timer = setTimeout(entry.finish, READ_AFTER);
    this.keep(name, entry);
  }

  /** Wait until everything that is being read has been. */
  async settle() {
    await Promise.all([...this.held.values()].map((entry) => entry.finish?.()));
  }

  keep(name, entry) {
    clearTimeout(this.held.get(name)?.timer);
    this.held.set(name, entry);
    this.changed();
  }

  async finish(name, entry, ask, take) {
    clearTimeout(entry.timer);
    const answer = await ask(entry.text);
    if (this.held.get(name) !== entry) return;
    if (answer.message) return this.hold(name, entry.text, answer.message);
    this.held.delete(name);
    take(answer.value, entry.text);
    this.changed();
  }
}

/** The whole number that a text says as {value}, null for an empty one that may be empty; else {message}. */
export function readWhole(text, { min, max, optional = false, unreadable = false }) {
  const trimmed = text.trim();
  if (trimmed === "" && optional && !unreadable) return { value: null };
  const value = /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : NaN;
  if (value >= min && value <= max) return { value };
  const [least, most] = [min, max].map(count);
  return { message: `Give a whole number from ${least} to ${most}${optional ? ", or nothing" : ""}.` };
}
