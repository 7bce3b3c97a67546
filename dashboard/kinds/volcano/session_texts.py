"""What is said of Volcano's sessions: refusals, the reasons of an order, the events that `kubectl` shows.

The engine's own words where it has any; `scheduler_words.py` gives them to the pages. Source of the events:
volcano v1.16 pkg/scheduler/cache/cache.go.
"""

from dashboard.kinds.session_words import OrderText, RefusalText, SessionEvent, SessionTexts

SESSION_TEXTS = SessionTexts(
    refusals=[
        RefusalText("queue", "reclaim", "queue {queue} may not reclaim for it"),
        RefusalText("queue", "", "queue {queue} may take no more"),
        RefusalText("role", "", "one of its role, {role}, fits nowhere"),
        RefusalText("victims", "", "no victims on any node make enough room"),
        RefusalText("reserve", "", "a plugin did not let the node be reserved"),
        RefusalText("scores", "", "the nodes could not be scored"),
        RefusalText("error", "", "", takes_message=True),
    ],
    orders=[
        OrderText("job", "priority", "the higher priority goes first"),
        OrderText("job", "sla", "the job whose waiting time is over sooner goes first"),
        OrderText("job", "tdm", "a job that is not preemptable goes first"),
        OrderText("job", "gang", "a job that isn't ready goes before one that is"),
        OrderText("job", "drf", "the smaller dominant share goes first"),
        OrderText("job", "creation", "the older one goes first"),
        OrderText("job", "uid", "they are of the same age, and the smaller uid goes first"),
        OrderText(
            "queue",
            "proportion",
            "the higher priority, then the smaller share of what is deserved goes first",
        ),
        OrderText(
            "queue", "capacity", "the higher priority, then the smaller share of what is deserved goes first"
        ),
        OrderText("queue", "drf", "the smaller share in the tree of queues goes first, level by level"),
        OrderText("queue", "creation", "the older one goes first"),
        OrderText("queue", "name", "they are of the same age, and the smaller name goes first"),
        OrderText("pod", "priority", "the higher priority goes first"),
        OrderText("pod", "task-topology", "pods of a bucket go first, and those of the fuller bucket"),
        OrderText("pod", "number", "the smaller number at the end of its name goes first"),
        OrderText("pod", "creation", "the older one goes first"),
        OrderText("pod", "uid", "they are alike otherwise, and the smaller uid goes first"),
    ],
    source="volcano",
    object="pod/{pod}",
    bound=SessionEvent("Normal", "Scheduled", "Successfully assigned {namespace}/{pod} to {node}"),
    evicted=SessionEvent("Warning", "Evict", "Pod is evicted, because of {action}"),
    waits=SessionEvent("Warning", "FailedScheduling", "{message}"),
)

NODE_ORDERS = {
    "binpack": "nodes that the pod would fill most",
    "nodeorder": "nodes by kube-scheduler's own scores, with Volcano's weights",
    "predicates": "nothing for a pod without volumes to be provisioned",
}
"""What a plugin of Volcano prefers that orders nodes."""
