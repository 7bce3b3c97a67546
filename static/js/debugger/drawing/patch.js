// Draw anew with the elements that are there: what is called the same stays the same element, under the pointer and with
// the focus, and only what differs about it is changed. Whoever keeps an element that is drawn so loses it: it may be
// another one that stays.

/** A row is called by the first key in it. */
const ROWS = "li, tr";
/** What a reader changes, which attributes don't tell. */
const FIELDS = "input, select, textarea, option";
const VALUES = ["value", "checked", "selected", "disabled"];

/** What elements do, by type of event: a listener asks here, so that its element can get another thing to do. */
const acts = new WeakMap();

export function listen(element, type, act) {
  if (!acts.has(element)) acts.set(element, new Map());
  const own = acts.get(element);
  if (!own.has(type)) element.addEventListener(type, hear);
  own.set(type, act);
}

function hear(event) {
  return acts.get(event.currentTarget).get(event.type).call(event.currentTarget, event);
}

/** Make `wanted`, nodes in their order, the children of an element. */
export function patch(element, wanted) {
  const here = [...element.childNodes];
  const own = new Set(wanted.filter((node) => node.parentNode === element));
  const others = new Others(here.filter((node) => !own.has(node)));
  const nodes = wanted.map((node) => (own.has(node) ? node : merged(others.take(node), node)));
  const staying = new Set(nodes);
  for (const node of here) if (!staying.has(node)) node.remove();
  let next = element.firstChild;
  for (const node of nodes) {
    if (node === next) next = next.nextSibling;
    else element.insertBefore(node, next);
  }
}

/** Nodes to be drawn again: each by its key or, where it has none, in their order. */
class Others {
  constructor(nodes) {
    this.byName = new Map();
    for (const node of nodes) {
      const name = nameOf(node);
      if (!this.byName.has(name)) this.byName.set(name, []);
      this.byName.get(name).push(node);
    }
  }

  /** The next one of the same name, or undefined. */
  take(node) {
    return this.byName.get(nameOf(node))?.shift();
  }
}

function nameOf(node) {
  const key = node.dataset?.key ?? (node.matches?.(ROWS) ? node.querySelector("[data-key]")?.dataset.key : null);
  return `${node.nodeName} ${key ?? ""}`;
}

/** `node`, or the one that is there instead and becomes as it is. */
function merged(old, node) {
  if (!old) return node;
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return old;
  }
  takeAttributes(old, node);
  takeActs(old, node);
  patch(old, [...node.childNodes]);
  if (node.matches(FIELDS)) for (const name of VALUES) if (name in node && old[name] !== node[name]) old[name] = node[name];
  return old;
}

/** A style goes through the CSSOM, as when it was made: the page's policy forbids the attribute. */
function takeAttributes(old, node) {
  for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes)
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.style.cssText !== node.style.cssText) old.style.cssText = node.style.cssText;
}

function takeActs(old, node) {
  const [before, wanted] = [acts.get(old), acts.get(node) ?? new Map()];
  for (const type of before?.keys() ?? []) {
    if (wanted.has(type)) continue;
    old.removeEventListener(type, hear);
    before.delete(type);
  }
  for (const [type, act] of wanted) listen(old, type, act);
}
