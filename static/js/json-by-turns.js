// Large JSON read in turns, between which the browser answers. An object's members are read apart down to some depth, and below
// that as many at once as a turn has time for. What it gives is what JSON.parse gives, as what it throws is.

import { turn } from "./turns.js";

/** Objects are taken apart so deep: a state has tables or lists, those of a name, and their rows. */
const DEPTH = 3;
/** So many characters are read at once, in some milliseconds. */
const AT_ONCE = 1_000_000;
const QUOTE = 34,
  BACKSLASH = 92,
  COMMA = 44,
  BRACKET = 91,
  BRACE = 123;
/** Closing ones stand so far behind their opening ones. */
const CLOSES = 2;
const KEY = /\s*("(?:[^"\\]|\\.)*")\s*:\s*/y;
const NEXT = /\s*([,}])/y;
const EMPTY = /\{\s*\}/y;

/** The value of a text, as JSON.parse has it. @returns {Promise<any>} */
export async function parsedByTurns(text, atOnce = AT_ONCE) {
  const reader = new Reader(text, atOnce);
  const found = await reader.whole();
  return found === undefined ? JSON.parse(text) : found;
}

class Reader {
  at = 0;
  /** @type {number} */
  atOnce;
  /** @type {string} */
  text;

  constructor(text, atOnce) {
    Object.assign(this, { text, atOnce });
  }

  /** The object that the text is; undefined where it is anything else, or broken. */
  async whole() {
    try {
      this.at = this.text.search(/\S/);
      if (this.text.charCodeAt(this.at) !== BRACE) return undefined;
      const found = await this.#object(DEPTH);
      return this.text.slice(this.at).trim() ? undefined : found;
    } catch (problem) {
      if (problem instanceof SyntaxError) return undefined;
      throw problem;
    }
  }

  /** The object that begins here; its members are read apart. */
  async #object(depth) {
    if (this.#match(EMPTY)) return {};
    this.at++;
    const found = {};
    if (depth > 1) await this.#membersApart(found, depth - 1);
    else await this.#membersTogether(found);
    return found;
  }

  async #membersApart(found, depth) {
    do {
      const key = JSON.parse(this.#expect(KEY));
      const isObject = this.text.charCodeAt(this.at) === BRACE;
      put(found, key, isObject ? await this.#object(depth) : this.#value());
    } while (this.#expect(NEXT) === ",");
  }

  /** Read as many members at once as a turn has time for. */
  async #membersTogether(found) {
    let from = this.at;
    for (;;) {
      this.#expect(KEY);
      this.#skip();
      const { at } = this;
      const isLast = this.#expect(NEXT) !== ",";
      if (!isLast && at - from < this.atOnce) continue;
      const some = JSON.parse(`{${this.text.slice(from, at)}}`);
      for (const key of Object.keys(some)) put(found, key, some[key]);
      if (isLast) return;
      from = this.at;
      await turn();
    }
  }

  #value() {
    const from = this.at;
    this.#skip();
    return JSON.parse(this.text.slice(from, this.at));
  }

  /** Go behind the value that begins here. */
  #skip() {
    const { text } = this;
    let depth = 0;
    for (let at = this.at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(text, at);
      else if (code === BRACE || code === BRACKET) depth++;
      else if (code === BRACE + CLOSES || code === BRACKET + CLOSES) {
        if (depth === 0) return this.#go(at);
        if (--depth === 0) return this.#go(at + 1);
      } else if (depth === 0 && code === COMMA) return this.#go(at);
    }
    throw new SyntaxError("the text ends within a value");
  }

  #go(at) {
    this.at = at;
  }

  #match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  #expect(pattern) {
    const found = this.#match(pattern);
    if (!found) throw new SyntaxError("something else was expected");
    return found[1];
  }
}

/** The place of the quote that ends the string which begins at another one. */
function endOfString(text, from) {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  throw new SyntaxError("the text ends within a string");
}

/** As JSON.parse has it, `__proto__` is a member like others. */
function put(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
