/* Controls that work only by script are served disabled and marked data-scripted, one by one or a fieldset of
   them: what is pressed before anybody listens would be lost without a word. Whoever listens to them calls this. */

/** @param {ParentNode} scope */
export function ready(scope = document, which = "[data-scripted]") {
  for (const control of scope.querySelectorAll(which)) control.disabled = false;
}
