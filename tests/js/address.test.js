// How the cluster is shown stands in the address, where that isn't as a page opens by itself.
import assert from "node:assert/strict";
import test from "node:test";

import { readAddress, writeAddress } from "../../static/js/debugger/address.js";
import { choicesOf, differing, shownAs } from "../../static/js/debugger/map/shown.js";
import { Viewport } from "../../static/js/debugger/map/viewport.js";

const CHOICES = choicesOf([{ key: "zone" }, { key: "label:pool" }, { key: "none" }], ["cpu", "memory"]);
const AT = { at: 3, node: null, pod: null, tab: null };

test("what is shown otherwise than by itself is written, and read back", () => {
  const shown = { group: "label:pool", resource: "cpu", sort: "load", view: "table" };
  const address = writeAddress(AT, { ...differing(shown, CHOICES), zoom: "2.5,0.31,0.8" });
  assert.equal(address, "?at=3&group=label%3Apool&sort=load&view=table&zoom=2.5%2C0.31%2C0.8");
  const asked = readAddress(address);
  assert.deepEqual(shownAs(asked, CHOICES), shown);
  assert.equal(asked.zoom, "2.5,0.31,0.8");
  const opened = shownAs(readAddress("?at=3"), CHOICES);
  assert.deepEqual(opened, { group: "zone", resource: "cpu", sort: "name", view: "map" });
  assert.equal(writeAddress(AT, differing(opened, CHOICES)), "?at=3");
});

test("what there is no choice of is not taken over", () => {
  const asked = readAddress("?group=label:nowhere&by=nvidia.com/gpu&sort=colour&view=list&zoom=1e9,0,0");
  assert.deepEqual(shownAs(asked, CHOICES), shownAs({}, CHOICES));
  for (const odd of ["", "2", "2,3,0", "2,0.5", "-2,0,0", "2,0.5,0.5,0"]) assert.equal(readAddress(`?zoom=${odd}`).zoom, null);
});

const viewport = () => new Viewport(/** @type {any} */ ({ addEventListener: () => {}, style: {} }), () => {});

test("a place of the map leads to where it was taken, also in a window of another size", () => {
  const one = viewport();
  assert.equal(one.place, null);
  one.fit(800, 600, 800, 596, 20);
  one.zoom(4, { x: 700, y: 100 });
  const { place } = one;
  const other = viewport();
  other.goTo(place);
  assert.equal(other.place, place, "it waits until there is anything to show");
  other.fit(800, 600, 800, 596, 20);
  assert.equal(other.scale, 4);
  assert.ok(Math.abs(other.x - one.x) < 1 && Math.abs(other.y - one.y) < 1, `${other.x} ${other.y}`);
  assert.equal(other.place, place);
  const small = viewport();
  small.goTo(place);
  small.fit(400, 300, 400, 296, 10);
  assert.equal(small.place, place);
  small.goTo(null);
  assert.deepEqual([small.scale, small.x, small.y], [1, 0, 0]);
});
