// The wheel over a map: it zooms, or is left to the page.
import assert from "node:assert/strict";
import test from "node:test";

import { Viewport } from "../../static/js/debugger/map/viewport.js";

function mapOf() {
  const listeners = {};
  const canvas = {
    style: {},
    addEventListener: (name, act) => (listeners[name] = act),
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
  };
  const viewport = new Viewport(/** @type {any} */ (canvas), () => {});
  viewport.fit(400, 300, 400, 300, 40);
  const turn = (fields) => {
    const event = { deltaX: 0, deltaY: -100, clientX: 10, clientY: 10, isKept: false, preventDefault: () => (event.isKept = true), ...fields };
    listeners.wheel(event);
    return event.isKept;
  };
  return { viewport, turn };
}

test("a wheel that is not for the map stays with the page, and changes nothing", () => {
  const { viewport, turn } = mapOf();
  viewport.takesWheel = ({ ctrlKey }) => ctrlKey;
  assert.equal(turn({ ctrlKey: false }), false);
  assert.equal(viewport.scale, 1);
  assert.equal(turn({ ctrlKey: true }), true);
  assert.ok(viewport.scale > 1);
});

test("where nobody says otherwise the wheel zooms", () => {
  const { viewport, turn } = mapOf();
  assert.equal(turn({}), true);
  assert.ok(viewport.scale > 1);
});
