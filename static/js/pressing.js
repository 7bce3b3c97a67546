// What is being pressed must not move away from under the pointer, nor be made anew there: the click would be lost.
// Whoever would move it waits here.

/** What is pressed and let go; a canvas and a slider are meant to change while they are dragged. */
const CONTROLS = "a, button, summary, [role=treeitem]";
const ENDS = ["pointerup", "pointercancel"];

let pressed = null;
document.addEventListener("pointerdown", ({ target, button }) => (pressed = button === 0 ? target : null), true);
for (const end of ENDS) document.addEventListener(end, () => (pressed = null), true);
// A page that is left while something is pressed hears of no end.
addEventListener("blur", () => {
  if (pressed) document.dispatchEvent(new Event("pointercancel"));
});

/** Resolves once nothing is pressed and the click, if it was one, has been heard. */
export function nothingPressed() {
  if (!pressed) return Promise.resolve();
  return new Promise((resolve) => {
    const ended = () => setTimeout(resolve);
    for (const end of ENDS) document.addEventListener(end, ended, { once: true });
  });
}

/** Call `draw` now, or if a control is pressed once that is let go. */
export function unpressed(draw) {
  if (pressed?.closest(CONTROLS)) nothingPressed().then(draw);
  else draw();
}
