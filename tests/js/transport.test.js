// Who follows the head of a live run: only who asked for it, and nobody who merely steps onto it.
import assert from "node:assert/strict";
import test from "node:test";

import { Transport } from "../../static/js/debugger/transport.js";

/** A reader at a decision of a live run of 8. */
function reader(fields) {
  const reading = { at: 7, status: "running", follow: false, playing: false, ...fields };
  reading.set = (values) => Object.assign(reading, values);
  return { reading, transport: new Transport({ log: { first: 0, head: 8 }, reading, say: () => {} }) };
}

const after = (act, fields) => {
  const { reading, transport } = reader(fields);
  act(transport);
  return [reading.at, reading.follow];
};

test("a step onto the head does not begin to follow it", () => {
  assert.deepEqual(after((transport) => transport.step(1)), [8, false]);
  assert.deepEqual(after((transport) => transport.seek(8)), [8, false]);
});

test("who goes to the last decision of a live run follows it from there", () => {
  assert.deepEqual(after((transport) => transport.last()), [8, true]);
  assert.deepEqual(after((transport) => transport.last(), { status: "paused" }), [8, false]);
});

test("who follows goes on doing so until they step back", () => {
  const following = { at: 8, follow: true };
  assert.deepEqual(after((transport) => transport.step(1), following), [8, true]);
  assert.deepEqual(after((transport) => transport.step(-1), following), [7, false]);
});
