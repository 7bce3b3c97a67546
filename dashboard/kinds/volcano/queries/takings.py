"""What queues took from each other over a run: pods that statements of jobs evicted, by both queues."""

from collections import Counter
from typing import NamedTuple

from dashboard.models import DecisionIndex, Run
from dashboard.queries.log import NOBODY_EVICTED, decisions_at
from dashboard.queries.replay import base_state
from scheduler_core.events.changes import Appear, Set
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.sessions import Gang
from scheduler_core.events.state import GROUPS, PODS

KINDS = ["gang", "change", "reconcile", "session"]


class Taking(NamedTuple):
    """So many pods of the queue `gave` had to go for the queue `took`, which is another one."""

    took: str
    gave: str
    pods: int


def takings(run: Run) -> list[Taking]:
    """Return who took pods' room from whom, by names."""
    base = base_state(run)
    queue_of = {key: row["queue"] for key, row in base.tables.get(GROUPS, {}).items()}
    group_of = {uid: row.get("group", "") for uid, row in base.tables.get(PODS, {}).items()}
    counts: Counter[tuple[str, str]] = Counter()
    rows = DecisionIndex.objects.filter(run=run, kind__in=KINDS).order_by("seq")
    known = list(rows.values_list("seq", "kind"))
    for (_, kind), line in zip(known, decisions_at(run, [seq for seq, _ in known]), strict=True):
        if kind == "gang" and NOBODY_EVICTED in line:
            continue
        decision = decision_decoder.decode(line)
        for change in decision.changes:
            if isinstance(change, Appear) and change.table == GROUPS:
                queue_of[change.id] = change.row["queue"]
            elif isinstance(change, Appear) and change.table == PODS:
                group_of[change.id] = change.row.get("group", "")
            elif isinstance(change, Set) and change.table == PODS and "group" in change.new:
                group_of[change.id] = change.new["group"]
        if isinstance(decision, Gang) and decision.outcome == "committed":
            for pod in decision.evicted:
                gave = queue_of.get(group_of.get(pod.uid, ""), "")
                if gave and gave != decision.queue:
                    counts[decision.queue, gave] += 1
    return [Taking(*queues, pods) for queues, pods in sorted(counts.items())]
