// A word on a button for a moment, in place of what it says.

const SHOWN_FOR = 1200;
/** What buttons say of themselves, while they say something else. */
const own = new WeakMap();

export function sayOn(button, words) {
  const before = own.get(button) ?? [...button.childNodes];
  own.set(button, before);
  button.replaceChildren(words);
  button.setAttribute("aria-live", "polite");
  setTimeout(() => {
    button.replaceChildren(...before);
    own.delete(button);
  }, SHOWN_FOR);
}
