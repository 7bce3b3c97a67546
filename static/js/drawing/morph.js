// Draw anew with the elements that are there, by morphdom: what is called the same stays the same element, under the
// pointer, with the focus, unfolded and scrolled, and only what differs about it is changed.
//
// An element is called by its `data-key` within its parent, a row by the first key in it, any other by its place among
// those of its name. Who draws an element and goes on to use it either hands it to `fill` again (heirOf finds what stays
// in its place) or keeps it (`keep`): a kept element is never taken for another one.

import morphdom from "../vendor/morphdom.js";

const ROWS = "li, tr";
const VALUES = { INPUT: "value", TEXTAREA: "value", DETAILS: "open" };

/** What elements do, by type of event: a listener asks here, so that its element can get another thing to do. */
const acts = new WeakMap();
const kept = new WeakSet();
/** The kept element in whose place one stands while a drawing is being made: a kept element is never taken out meanwhile. */
const standsFor = new WeakMap();
/** Of a drawn element: the one that stays in its place, and the how manieth drawing of that it was. */
const heirs = new WeakMap();
const drawings = new WeakMap();
/** What a reader may change and attributes don't tell, as it was drawn last. */
const drawnValues = new WeakMap();

export function listen(element, type, act) {
  if (!acts.has(element)) acts.set(element, new Map());
  const own = acts.get(element);
  if (!own.has(type)) element.addEventListener(type, hear);
  own.set(type, act);
}

function hear(event) {
  return acts.get(event.currentTarget).get(event.type).call(event.currentTarget, event);
}

/** What is drawn before its answer is there: until then the old answer to the same question stays. */
const waiting = new WeakSet();
const questions = new WeakMap();
let questionsSoFar = 0;

/** Note what of an element that was just made a reader may change. */
export function noteValue(element) {
  const name = VALUES[element.nodeName];
  if (name) drawnValues.set(element, element[name]);
}

/** Have an element wait for the answer of a promise. */
export function awaitAnswer(element, promise) {
  if (!questions.has(promise)) questions.set(promise, ++questionsSoFar);
  element.dataset.key = `answer ${questions.get(promise)}`;
  waiting.add(element);
  return element;
}

/** Have an element never taken for another one: somebody holds it, or listens to it by themselves. */
export function keep(element) {
  kept.add(element);
  return element;
}

/** What is put into a drawing for a node: itself, or a stand-in for what is kept and on the page now. */
export function partOf(node) {
  if (!kept.has(node) || !node.isConnected) return node;
  const standIn = node.cloneNode(false);
  standsFor.set(standIn, node);
  return standIn;
}

/** The element on the page in whose drawing this one ended, itself if it is there; null once that was drawn again. */
export function heirOf(element) {
  waiting.delete(element);
  const { heir = element, drawing = 0 } = heirs.get(element) ?? {};
  return (drawings.get(heir) ?? 0) === drawing ? heir : null;
}

/** Make `wanted`, nodes in their order, the content of an element. */
export function morph(element, wanted) {
  if (!element.firstElementChild || element.nodeName === "SELECT") return element.replaceChildren(...wanted.map(real));
  const drawn = document.createElement("div");
  drawn.append(...wanted);
  const names = new Names();
  names.give(element);
  names.give(drawn);
  morphdom(element, drawn, {
    childrenOnly: true,
    getNodeKey: (node) => names.of(node),
    addChild: put,
    onBeforeNodeAdded: real,
    onNodeAdded: (node) => {
      if (standsFor.has(node)) /** @type {Element} */ (node).replaceWith(real(node));
      return node;
    },
    onBeforeElUpdated: become,
    onBeforeElChildrenUpdated: (_, drawn) => !waiting.has(drawn),
  });
}

function real(node) {
  return standsFor.get(node) ?? node;
}

/** What is on the page already stays as it is while it moves, where the browser can. */
function put(parent, child) {
  if (child.isConnected && parent.isConnected && parent.moveBefore) parent.moveBefore(child, null);
  else parent.append(child);
}

/** Prepare that an element becomes as it is drawn now; false if nothing is left to do. */
function become(old, drawn) {
  if (standsFor.has(drawn)) return false;
  const drawing = (drawings.get(old) ?? 0) + 1;
  drawings.set(old, drawing);
  heirs.set(drawn, { heir: old, drawing });
  takeActs(old, drawn);
  takeValue(old, drawn);
  if (old.nodeName === "SELECT") return becomeChoice(old, drawn);
  // A style goes through the CSSOM, as when it was made: the page's policy forbids the attribute.
  if (old.style.cssText !== drawn.style.cssText) old.style.cssText = drawn.style.cssText;
  return true;
}

function takeActs(old, drawn) {
  const [before, wanted] = [acts.get(old), acts.get(drawn) ?? new Map()];
  for (const type of before?.keys() ?? []) {
    if (wanted.has(type)) continue;
    old.removeEventListener(type, hear);
    before.delete(type);
  }
  for (const [type, act] of wanted) listen(old, type, act);
}

/** What a reader has unfolded, or is typing, stays until something else is drawn there. */
function takeValue(old, drawn) {
  const name = VALUES[old.nodeName];
  if (!name) return;
  const wanted = drawn[name];
  if (drawnValues.get(old) === wanted && (name === "open" || old === document.activeElement)) drawn[name] = old[name];
  drawnValues.set(old, wanted);
}

/** A choice that offers the same stays as the reader left it, unfolded or not. */
function becomeChoice(old, drawn) {
  if (old.isEqualNode(drawn)) return false;
  const { value } = drawn;
  for (const { name } of [...old.attributes]) if (!drawn.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value: text } of drawn.attributes) if (name !== "style") old.setAttribute(name, text);
  old.disabled = drawn.disabled;
  old.replaceChildren(...drawn.childNodes);
  old.value = value;
  return false;
}

/** What elements are called in one drawing, the same in what is there and in what is wanted. */
class Names {
  constructor() {
    this.names = new Map();
    this.numbers = new Map();
  }

  of(node) {
    return this.names.get(node);
  }

  give(parent, of = 0) {
    const before = new Map();
    for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
      const own = nameOf(child);
      const place = before.get(own) ?? 0;
      before.set(own, place + 1);
      const number = this.#number(`${of} ${own} ${place}`);
      this.names.set(child, number);
      if (!kept.has(real(child))) this.give(child, number);
    }
  }

  #number(name) {
    if (!this.numbers.has(name)) this.numbers.set(name, this.numbers.size + 1);
    return this.numbers.get(name);
  }
}

const keptNames = new WeakMap();
let keptSoFar = 0;

function nameOf(element) {
  const held = real(element);
  if (kept.has(held)) {
    if (!keptNames.has(held)) keptNames.set(held, `kept ${++keptSoFar}`);
    return keptNames.get(held);
  }
  const key = element.dataset.key ?? (element.matches(ROWS) ? element.querySelector("[data-key]")?.dataset.key : null);
  return `${element.nodeName} ${key ?? ""}`;
}
