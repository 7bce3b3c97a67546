// A press is for what was pressed, also if that was drawn elsewhere or nowhere meanwhile: the browser then makes no click of
// it, so it is made here.

const CONTROLS = "a, button, summary, [role=treeitem]";
/** Who moves the pointer further than so many pixels wants to let go elsewhere. */
const STILL = 6;

let pressed = null;

document.addEventListener("pointerdown", ({ target, button, clientX: x, clientY: y }) => {
  const control = /** @type {Element} */ (target).closest(CONTROLS);
  pressed = control && button === 0 ? { control, x, y } : null;
}, true);
document.addEventListener("pointercancel", () => (pressed = null), true);
document.addEventListener("pointerup", ({ target, clientX, clientY }) => {
  const { control, x, y } = pressed ?? {};
  pressed = null;
  if (!control || control.contains(/** @type {Element} */ (target))) return;
  if (Math.hypot(clientX - x, clientY - y) <= STILL) control.click();
}, true);
