// The Events tab of a decision of HAMi's: what HAMi says of the nodes, which names all of them and so comes from the server;
// then what it says of the bind, and kube-scheduler's own.

import { filterMessages } from "./decisions/messages.js";
import { drawEventList, drawEvents } from "../../debugger/inspector/tabs/events-tab.js";
import { filled } from "../../debugger/words/scheduler.js";
import { judgedCards } from "./judging.js";

export function drawHamiEvents(tools, event) {
  const object = filled(tools.scheduler.events.object, { pod: event.pod.name });
  const isComplete = ({ nodes }) => nodes.every(({ reason, score }) => reason || typeof score === "number");
  return [
    tools.later(judgedCards(tools.evidence, event), (judged) => isComplete(judged) && drawEventList(filterMessages(event, judged.nodes, object))),
    drawEvents(tools, event),
  ];
}
