// The kinds of decisions that a session is made of, in the order in which they come.

import { close } from "./close.js";
import { enqueue } from "./enqueue.js";
import { gang } from "./gang.js";
import { idle } from "./idle.js";
import { overused } from "./overused.js";
import { placement } from "./placement.js";
import { session } from "./session.js";

export const SESSION_KINDS = [session, enqueue, placement, gang, overused, close, idle];
