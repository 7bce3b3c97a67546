"""What becomes of an object that an edit changes, and of whatever its controllers make of it."""

from collections.abc import Callable
from typing import Any

from scheduler_core.objects.identity import (
    spec_of,
    uid_of,
)
from scheduler_core.objects.kinds import (
    CRON_JOB,
    DAEMON_SET,
    JOB,
    NODE,
    PRIORITY_CLASS,
    REPLICA_SET,
    RESOURCE_QUOTA,
    WORKLOAD_KINDS,
    kind_of,
)
from scheduler_core.objects.workloads.daemons import runs_on
from scheduler_core.objects.workloads.workload_pods import (
    wanted_replicas,
)
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits import new_template, webhooks
from scheduler_core.world.edits.additions import (
    add_daemon_pods,
    count_of,
)
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.new_template import Replaced
from scheduler_core.world.edits.refusals import refuse_as_api
from scheduler_core.world.edits.replicas import active_pods, meet_replicas
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]

_IMMUTABLE = ("name", "namespace", "uid")


def change(cluster: EditedCluster, old: Object, new: Object, result: EditResult, place: str) -> None:
    """Put a changed object in the place of the old one, and let its controllers follow. Raises Refused.

    `place` is where in the edit the change stands.
    """
    kind = kind_of(old)
    if kind == RESOURCE_QUOTA and spec_of(new) != spec_of(old):
        new.pop("status", None)  # its controller writes the new limits there, and counts anew
    _refuse_immutable(old, new, place)
    refuse_as_api(new, place, before=old)
    webhooks.check_change(cluster, old, new, place)
    cluster.replace(old, new)
    if kind in WORKLOAD_KINDS:
        _follow_workload(cluster, old, new, result, place)
    elif kind == NODE:
        _follow_node(cluster, old, new, result)
    elif kind == PRIORITY_CLASS and old.get("value") != new.get("value"):
        result.note("pods that are there keep their priority; it counts for pods that come")


def change_by_field(
    cluster: EditedCluster,
    old: Object,
    new: Object,
    result: EditResult,
    place: str,
    field_of: Callable[[str], str],
) -> None:
    """Change an object by an edit whose fields stand for places in it: `field_of` names that of a place.

    Raises Refused, with these fields.
    """
    try:
        change(cluster, old, new, result, place)
    except Refused as refused:
        faults = [(field_of(at), message) for at, message in refused.faults]
        raise Refused(*faults[0], faults[1:]) from None


def _refuse_immutable(old: Object, new: Object, place: str) -> None:
    before, after = old.get("metadata") or {}, new.get("metadata")
    for field in ("kind", "apiVersion"):
        if old.get(field) != new.get(field):
            raise Refused(f"{place}.{field}", "cannot be changed")
    for field in _IMMUTABLE:
        if not isinstance(after, dict) or before.get(field) != after.get(field):
            raise Refused(f"{place}.metadata.{field}", "cannot be changed")


def _follow_workload(
    cluster: EditedCluster, old: Object, new: Object, result: EditResult, place: str
) -> None:
    """Make or delete pods as the changed workload wants; a changed template replaces them all at once."""
    if kind_of(new) == CRON_JOB:
        result.note("its running jobs stay as they are")
        return
    if not new_template.is_other(old, new):
        if kind_of(new) != DAEMON_SET and wanted_replicas(old) != wanted_replicas(new):
            meet_replicas(cluster, new, active_pods(cluster, new), result)
        return
    if kind_of(new) == JOB:
        raise Refused(f"{place}.spec.template", "of a Job cannot be changed")
    replaced = new_template.replaced_by(cluster, new, cluster.pods_of(new))
    _replace(cluster, new, replaced)
    if kind_of(new) == DAEMON_SET:
        for node in list(cluster.of_kind(NODE)):
            add_daemon_pods(cluster, node, result)
    else:
        meet_replicas(cluster, new, active_pods(cluster, new), result)
    _tell_of_template(cluster, replaced, result)


def _replace(cluster: EditedCluster, workload: Object, replaced: Replaced) -> None:
    """Take away the pods that a changed template replaces, and ReplicaSets if none of theirs stays."""
    sets: list[Object] = []
    if not replaced.why_others_stay:
        sets = [found for found in cluster.controlled(workload) if kind_of(found) == REPLICA_SET]
    if cluster.controllers_act:
        cluster.rolling.add(uid_of(workload))
        cluster.replaced.update((uid_of(found), workload) for found in sets)
    for document in [*replaced.pods, *sets]:
        cluster.remove(document)
    if replaced.takes_new:
        cluster.outdated |= {uid_of(pod): workload for pod in cluster.pods_of(workload)}


def _tell_of_template(cluster: EditedCluster, replaced: Replaced, result: EditResult) -> None:
    going = len(replaced.pods)
    if going or not replaced.why_others_stay:
        how = "in the run, as its strategy says" if cluster.controllers_act else "all at once"
        result.note(f"{count_of(going, 'pod')} replaced by new ones from the changed template, {how}")
    if replaced.why_others_stay:
        note = f"pods that stay are as they were: {replaced.why_others_stay}"
        result.note(f"{note}; only new pods get the changed template" if replaced.takes_new else note)


def _follow_node(cluster: EditedCluster, old: Object, new: Object, result: EditResult) -> None:
    for daemon_set in cluster.of_kind(DAEMON_SET):
        if runs_on(daemon_set, new) and not runs_on(daemon_set, old):
            add_daemon_pods(cluster, new, result)
            break
