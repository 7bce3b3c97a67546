// Who goes by keyboard stays where they are when that is drawn anew, also if it comes a little later from the server.

/** What is to have the focus once it is there again: {within: an element, key, place: the how manieth of that key}. */
let owed = null;
const EVENTS = ["focusin", "pointerdown", "keydown"];

/** Call it before an element's content is replaced and what it returns, if anything, afterwards. */
export function keepFocus(element) {
  const { activeElement: focused, body } = document;
  if (owed?.within.contains(element) && focused === body) return giveBack;
  const key = focused !== body && element.contains(focused) ? focused.dataset.key : undefined;
  if (key === undefined) return null;
  const place = keyed(element, key).indexOf(focused);
  return () => {
    owed = { within: element, key, place };
    for (const event of EVENTS) document.addEventListener(event, forget, { capture: true, once: true });
    giveBack();
  };
}

/** Whoever does something else meanwhile is asked for nothing. */
function forget() {
  owed = null;
  for (const event of EVENTS) document.removeEventListener(event, forget, true);
}

function giveBack() {
  const { within, key, place } = owed;
  keyed(within, key)[place]?.focus({ preventScroll: true });
}

function keyed(element, key) {
  return [...element.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
}
