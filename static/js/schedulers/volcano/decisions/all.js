// The kinds of decisions that Volcano takes: those that a session is made of, in the order in which they come, and its
// controllers' work.

import { close } from "./close.js";
import { enqueue } from "./enqueue.js";
import { gang } from "./gang.js";
import { hyperNodes } from "./hyper-nodes.js";
import { idle } from "./idle.js";
import { overused } from "./overused.js";
import { placement } from "./placement.js";
import { reconcile } from "./reconcile.js";
import { session } from "./session.js";

/** @type {Kind[]} */
export const SESSION_KINDS = [session, enqueue, hyperNodes, placement, gang, overused, close, idle, reconcile];
