/* What is being pressed must not move away from under the pointer: whoever would move it waits here. */

let isPressed = false;
const note = (pressed) => () => (isPressed = pressed);
document.addEventListener("pointerdown", note(true), true);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, note(false), true);

/** Resolves once nothing is pressed and the click, if it was one, has been heard. */
export function nothingPressed() {
  if (!isPressed) return Promise.resolve();
  return new Promise((resolve) => {
    const ended = () => setTimeout(resolve);
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, ended, { once: true });
  });
}
